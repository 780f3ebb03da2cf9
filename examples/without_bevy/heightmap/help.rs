//! The end of the help: all kinds of files, names of tiles, exit codes and examples.

/// What `--help` prints after the options.
pub const AFTER_HELP: &str = "\
Kinds, and the file endings that select them:
  png16      .png         16-bit greyscale PNG of heights
  r16        .r16, .raw   heights as unsigned 16-bit integers, little-endian, by rows, no header
  f32        .f32, .r32   heights in metres as 32-bit floats, little-endian, bit for bit
  tiff16                  16-bit TIFF of heights, with the scale and offset of GDAL
  tiff32     .tif, .tiff  TIFF of heights in metres as 32-bit floats; both have the pixel scale and
                          tie point of GeoTIFF in a plane in metres (x east, -z north)
  exr        .exr         OpenEXR of heights in metres as 32-bit floats, channel Y
  depth                   depth of water in metres, 0 where it is dry; the ending of --out selects
                          .png, .r16 (both with a range), .f32, .tif or .exr
  normal                  normal map, 8-bit RGB PNG, in the convention of glTF, OpenGL and Blender:
                          red points right (+x), green to the top of the picture (-z), blue up,
                          each (component + 1) / 2 * 255; from the exact gradient
  hillshade               8-bit greyscale PNG, lit from the top left at 45 degrees
  water                   8-bit greyscale PNG: 0 is dry, 85 sea, 170 lake, 255 river
  flow                    flow map, 8-bit RGB PNG: red is the velocity to the right (+x), green to
                          the top (-z), 128 +- 127 for 8 m/s; blue is 255 in water
  discharge               16-bit greyscale PNG: (pixel / 1000)^2 cubic metres per second
  cover                   splat maps: an 8-bit RGBA PNG for each four layers of ground cover,
                          NAME_splat0.png and so on; the weights of all layers add up to 255
  layers                  the same as an 8-bit greyscale PNG for each layer, NAME_layer0_grass.png
  lands                   splat maps of lands, such as desert and tundra, of a recipe that has them:
                          an 8-bit RGBA PNG for each four lands, NAME_lands0.png and so on; the
                          weights of all lands add up to 255; orogeny:layers names the channels
  map                     map to look at, 8-bit RGB PNG: lands in their colours, or else heights in
                          a ramp of colours, lit from the top left; seas, lakes and rivers are blue
  temperature             mean temperature on the ground in °C; file endings as for depth
  moisture                moisture, 0 to 1; file endings as for depth
  plants     .csv         table of plants and rocks: kind, model, x, height, z, yaw in degrees from
                          +x to +z, rotation as a quaternion (right-handed, y up), scale
  glb        .glb         mesh with levels of detail as nodes terrain_lod0, terrain_lod1, ..; exact
                          normals; x and z are relative to the middle of the region

A PNG has the range of heights, its position and the formula of a pixel in text chunks such as
orogeny:min, an EXR in its comments, a TIFF in its description; r16 and f32 have the same keys in
FILE.txt. Flat terrain is 0 in every pixel. A .glb has at most 8,388,608 vertices in all levels.
Plants and meshes reach at most 10,000 km.

Tiles have the size of --size and share their borders: the last row and column of a tile are the
first ones of the next. All have one range. Use 2^n + 1 (513, 1025, 2049, 4097) for Unity and Godot,
and 505, 1009, 2017, 4033 or 8129 for Unreal. NAME.png becomes NAME_x0_y0.png, NAME_x1_y0.png, ..; x
counts columns and y rows from the top left. In another NAME, {x} and {y} stand for these numbers,
and {yup} for rows from the bottom.

Files appear once all of them are complete. After an error, Ctrl-C or a full disk, no files are left
behind. Only a killed process leaves hidden files, .heightmap-*, in the same folder.

Exit codes: 0 done, 1 cannot write the file or it exists, 2 invalid arguments, 130 interrupted.

Examples:
  heightmap alpine --size 8192 --origin -4096,1000 --spacing 2 --out alpine.png
  heightmap hills --size 2048x1024 --spacing 8 --kind hillshade --out hills.png
  heightmap valleys --size 2048 --spacing 4 --kind discharge --out valleys-rivers.png
  heightmap my/terrain.ron --size 4097 --range -500,3000 --out landscape.r16
  heightmap alpine --size 1009 --tiles 4x4 --out alpine.png
  heightmap alpine --size 2017 --kind cover --out alpine.png
  heightmap world --size 512 --spacing 800 --kind map --out world.png
  heightmap alpine --size 1000 --plants spruce,pine,boulder --out plants.csv
  heightmap alpine --size 1025 --spacing 4 --levels 4 --out alpine.glb";
