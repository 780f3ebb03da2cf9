#!/usr/bin/env python3
"""Writes odd elevation files, and what rasterio (GDAL) and pyproj (PROJ) say of them.

    pip install rasterio==1.4.4 tifffile pyproj numpy
    python write.py

The files and `answers.json` are checked in, so that tests need no Python. An answer has:

* `heights`: which of `rasters` it is. Those are metres as rasterio reads them, row by row from the
  north-west, `null` without data: its values with its mask, its scale and offset, and its unit;
* `spacing` in metres: the lengths on the ground at the middle by PROJ if the file is in degrees or
  in a projection that stretches, else those of the projection with its unit;
* `first`: the centre of the first sample, in steps to the east and to the south;
* `no_data` as rasterio says it, `null` if there is a mask;
* `warnings`: a part of each warning that is wanted, and no others;
* `reading`: settings to read it with;
* or `error`: a part of the message, for files that are refused.
"""

import json
import os
import struct
import warnings
import zlib

import numpy as np
import pyproj
import rasterio
import rasterio.shutil
import tifffile
from rasterio.transform import Affine, from_origin

warnings.filterwarnings("ignore")
FOLDER = os.path.dirname(os.path.abspath(__file__))
COLUMNS, ROWS = 12, 9
SIZE = dict(width=COLUMNS, height=ROWS, count=1)
METRE, US_FOOT, FOOT = 1.0, 1200 / 3937, 0.3048
UNITS = {None: METRE, "": METRE, "metre": METRE, "m": METRE, "US survey foot": US_FOOT,
         "foot": FOOT, "ft": FOOT, "British foot (1936)": 0.3048007491}
UTM = "EPSG:32632+5773"
ASSUMED = "names no unit of heights"
STRETCHED = "stretches or shrinks"
FAR = "far from the middle of its projection"
answers = {}
rasters = []


def hills(dtype="int16", low=100):
    j, i = np.mgrid[0:ROWS, 0:COLUMNS]
    return (low + 7 * i + 5 * j + (i * i * 3 + j * j * 5) % 11).astype(dtype)


def path(name):
    return os.path.join(FOLDER, name)


def answer(name, unit=None, ground=False, flip=(False, False), heights=None, spacing=None,
           says=(), reading=None, no_data="file"):
    """Asks rasterio. `unit` is the metres of a unit of heights, by default that of rasterio."""
    with rasterio.open(path(name)) as file:
        values = file.read(1, masked=True)
        t = file.transform
        scale, offset = file.scales[0], file.offsets[0]
        metres = UNITS[file.units[0]] if unit is None else unit
        found = (values.astype("float64") * scale + offset) * metres
        mask = np.ma.getmaskarray(found) | np.isnan(found.data)
        found = np.where(mask, np.nan, found.data) if heights is None else heights
        has_mask = rasterio.enums.MaskFlags.per_dataset in file.mask_flag_enums[0]
        marker = None if has_mask else file.nodata
        crs = file.crs
    marker = marker if no_data == "file" else no_data
    if t == Affine.identity():
        # GDAL has none.
        t = Affine(1, 0, 0, 0, -1, 0)
    step = [abs(t.a), abs(t.e)]
    first = [t.c + t.a / 2, t.f + t.e / 2]
    if t.a < 0:
        first[0] += (COLUMNS - 1) * t.a
        found = found[:, ::-1]
    if t.e > 0:
        first[1] += (ROWS - 1) * t.e
        found = found[::-1]
    if spacing is None and crs is not None:
        if ground or crs.is_geographic:
            spacing = on_the_ground(crs, first, step)
        else:
            spacing = [x * crs.linear_units_factor[1] for x in step]
    elif spacing is None:
        spacing = step
    if reading and "spacing" in reading:
        spacing = reading["spacing"]
    heights = [None if np.isnan(x) else float(f"{x:.8g}") for x in found.ravel()]
    if heights not in rasters:
        rasters.append(heights)
    answers[name] = dict(
        heights=rasters.index(heights),
        spacing=[float(f"{x:.9g}") for x in spacing],
        first=[float(f"{x:.12g}") for x in [first[0] / step[0], -first[1] / step[1]]],
        no_data=None if marker is None else str(marker),
        warnings=list(says), reading=reading or {})


def on_the_ground(crs, first, step):
    """The lengths of a step at the middle, along geodesics."""
    crs = pyproj.CRS.from_wkt(crs.to_wkt())
    flat = crs.to_2d()
    degrees = flat.geodetic_crs
    middle = [first[0] + (COLUMNS - 1) / 2 * step[0], first[1] - (ROWS - 1) / 2 * step[1]]
    if flat.is_geographic:
        factor = flat.axis_info[0].unit_conversion_factor * 180 / np.pi
        to = lambda p: [p[0] * factor, p[1] * factor]
    else:
        transformer = pyproj.Transformer.from_crs(flat, degrees, always_xy=True)
        to = lambda p: transformer.transform(*p)
    geod = pyproj.Geod(a=flat.ellipsoid.semi_major_metre, b=flat.ellipsoid.semi_minor_metre)
    if abs(flat.ellipsoid.semi_major_metre / 6378137 - 1) < 1e-3:
        geod = pyproj.Geod(ellps="WGS84")
    lengths = []
    for k in range(2):
        ends = []
        for sign in (-0.5, 0.5):
            p = list(middle)
            p[k] += sign * step[k]
            ends.append(to(p))
        lengths.append(geod.inv(*ends[0], *ends[1])[2])
    return lengths


def gdal(name, crs=UTM, transform=from_origin(500000, 5000000, 30, 20), values=None, mask=None,
         unit=None, scale=None, offset=None, setup=None, **options):
    """A GeoTIFF that GDAL writes."""
    values = hills() if values is None else values
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True, GTIFF_FORCE_RGBA=False):
        with rasterio.open(path(name), "w", driver="GTiff", dtype=values.dtype, crs=crs,
                           transform=transform, **SIZE, **options) as file:
            if scale is not None:
                file.scales = [scale]
            if offset is not None:
                file.offsets = [offset]
            if unit is not None:
                file.units = [unit]
            if setup is None:
                file.write(values, 1)
            else:
                setup(file, values)
            if mask is not None:
                file.write_mask(mask)


KEYS = {1024: 1, 1025: 1, 3072: 32632, 4096: 5773}


def by_hand(name, keys=(), doubles=(), scale=(30.0, 20.0, 0.0), tie=(0, 0, 0, 5e5, 5e6, 0),
            matrix=None, metadata=None, no_data=None, values=None, without=(), **options):
    """A TIFF by tifffile with the given geo keys instead of some of `KEYS`. A key with a number in
    `doubles` has its place there."""
    values = hills() if values is None else values
    all_keys = {k: v for k, v in {**KEYS, **dict(keys)}.items() if k not in without}
    tags = []
    if all_keys:
        directory = [1, 1, 1, len(all_keys)]
        for key, value in sorted(all_keys.items()):
            if isinstance(value, float):
                directory += [key, 34736, 1, list(doubles).index(value)]
            else:
                directory += [key, 0, 1, value]
        tags.append((34735, "H", len(directory), directory, True))
    if doubles:
        tags.append((34736, "d", len(doubles), list(doubles), True))
    if matrix is not None:
        tags.append((34264, "d", 16, matrix, True))
    if scale is not None:
        tags.append((33550, "d", len(scale), list(map(float, scale)), True))
    if tie is not None:
        tags.append((33922, "d", len(tie), list(map(float, tie)), True))
    if metadata is not None:
        tags.append((42112, "s", len(metadata) + 1, metadata, True))
    if no_data is not None:
        tags.append((42113, "s", len(no_data) + 1, no_data, True))
    tifffile.imwrite(path(name), values, extratags=tags, photometric="minisblack", metadata=None,
                     software=False, **options)


def png(name, rows, color, bits, extra=b""):
    """A PNG of rows of bytes."""
    def chunk(kind, data):
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)
    height, width = len(rows), len(rows[0]) * 8 // bits // {0: 1, 2: 3, 6: 4}[color]
    header = struct.pack(">IIBBBBB", width, height, bits, color, 0, 0, 0)
    data = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 9)
    with open(path(name), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", data)
                   + chunk(b"IEND", b""))


def grey(values):
    return [row.astype(">u2").tobytes() for row in values]


def beside(name, text):
    with open(path(name), "w") as file:
        file.write(text)


def refused(name, error):
    answers[name] = dict(error=error)


def units():
    ftus = from_origin(1000000, 200000, 10, 10)
    gdal("compound_ftus.tif", "EPSG:2263+6360", ftus)
    answer("compound_ftus.tif")
    gdal("utm_ftus_heights.tif", "EPSG:32610+6360")
    answer("utm_ftus_heights.tif")
    gdal("utm_ft_heights.tif", "EPSG:32610+8228")
    answer("utm_ft_heights.tif")
    gdal("plane_ftus.tif", "EPSG:2263", ftus)
    answer("plane_ftus.tif",
           says=["US survey feet, so its heights may be, too", "neighbours differ"])
    gdal("international_ft.tif", "EPSG:2222+8228", ftus)
    answer("international_ft.tif")
    gdal("british_ft.tif", "EPSG:32630+5754")
    answer("british_ft.tif")
    gdal("kilometres.tif", "+proj=tmerc +lat_0=0 +lon_0=9 +units=km +datum=WGS84",
         from_origin(500, 5000, 0.03, 0.02))
    answer("kilometres.tif", says=[ASSUMED])
    gdal("indian_yards.tif", "EPSG:24370", from_origin(3000000, 1000000, 30, 20))
    answer("indian_yards.tif", says=[ASSUMED])
    gdal("clarke_links.tif", "EPSG:2066", from_origin(187500, 180000, 30, 20))
    answer("clarke_links.tif", says=[ASSUMED])
    by_hand("code_without_unit.tif", {3072: 2263}, without=[4096])
    answer("code_without_unit.tif", spacing=[30 * US_FOOT, 20 * US_FOOT],
           says=["US survey feet, so its heights may be, too"])
    by_hand("own_unit.tif", {3072: 32767, 3076: 32767, 3077: 0.5}, [0.5])
    answer("own_unit.tif", spacing=[15, 10])
    by_hand("unit_against_code.tif", {3072: 2263, 3076: 9001})
    answer("unit_against_code.tif", says=["metres are taken"])
    by_hand("vertical_key.tif", {4099: 9003}, without=[4096])
    answer("vertical_key.tif")
    by_hand("vertical_key_ft.tif", {4099: 9002}, without=[4096])
    answer("vertical_key_ft.tif")
    by_hand("vertical_code_against_key.tif", {4096: 6360, 4099: 9001})
    answer("vertical_code_against_key.tif", says=["metres, while its vertical system EPSG:6360"])
    by_hand("vertical_key_against_code.tif", {4096: 5703, 4099: 9003})
    answer("vertical_key_against_code.tif", says=["while its vertical system EPSG:5703 has metres"])
    by_hand("vertical_same.tif", {4096: 6360, 4099: 9003})
    answer("vertical_same.tif")
    by_hand("depths.tif", {4096: 5715})
    answer("depths.tif", says=["counts depths"])
    by_hand("old_datum.tif", {4096: 5103, 4099: 9003})
    answer("old_datum.tif", unit=US_FOOT)
    gdal("ellipsoidal.tif", "EPSG:4979", from_origin(6, 46, 0.001, 0.001))
    answer("ellipsoidal.tif", says=[])
    gdal("band_ft.tif", "EPSG:32632", unit="ft")
    answer("band_ft.tif")
    gdal("band_us_foot.tif", "EPSG:32632", unit="US survey foot")
    answer("band_us_foot.tif")
    gdal("band_against_vertical.tif", "EPSG:32632+6360", unit="m")
    answer("band_against_vertical.tif", says=["metres are taken"])
    gdal("band_unknown.tif", "EPSG:32632", unit="furlong")
    answer("band_unknown.tif", unit=METRE, says=["none that is known"])
    gdal("scaled.tif", UTM, scale=0.1)
    answer("scaled.tif")
    gdal("scaled_ft.tif", "EPSG:32632", scale=0.1, offset=-100, unit="ft")
    answer("scaled_ft.tif")
    gdal("scaled_ftus.tif", "EPSG:2263+6360", ftus, scale=0.1, offset=-5)
    answer("scaled_ftus.tif")
    gdal("scaled_read_as_ft.tif", "EPSG:32632", scale=0.1, offset=-100)
    answer("scaled_read_as_ft.tif", unit=FOOT, reading=dict(height_scale=FOOT))
    item = '<Item name="{}" sample="{}" role="{}">{}</Item>'
    text = "".join([item.format("SCALE", 1, "scale", 7), item.format("OFFSET", 0, "offset", "-2e1"),
                    "<Item name='UNITTYPE' role='unittype' sample='0'>ft</Item>",
                    '<Item name="x" role="scale">9</Item>'])
    by_hand("items.tif", metadata=f"<GDALMetadata>{text}</GDALMetadata>", without=[4096])
    answer("items.tif")
    by_hand("z_scale.tif", scale=(30.0, 20.0, 2.0), tie=(0, 0, 3, 5e5, 5e6, 50))
    answer("z_scale.tif")
    by_hand("z_scale_and_items.tif", scale=(30.0, 20.0, 2.0),
            metadata=f"<GDALMetadata>{item.format('SCALE', 0, 'scale', 3)}</GDALMetadata>")
    answer("z_scale_and_items.tif")
    by_hand("z_scale_alone.tif", scale=(30.0, 20.0, 2.0), without=[4096])
    answer("z_scale_alone.tif", says=["scales heights by 2", ASSUMED])
    text = item.format("SCALE", 0, "scale", "much")
    by_hand("scale_is_text.tif", metadata=f"<GDALMetadata>{text}</GDALMetadata>")
    answer("scale_is_text.tif", heights=hills("float64"), says=["its scale of heights is"])


def no_data():
    for number, (text, says) in enumerate([
            ("None", ["no number"]), ("n/a", ["no number"]), (" ", ["no number"])]):
        by_hand(f"no_data_{number}.tif", no_data=text)
        # GDAL takes such texts for 0, which these heights have not.
        answer(f"no_data_{number}.tif", says=says, no_data=None)
    floats = hills("float32")
    floats[2, 3] = np.nan
    for number, text in enumerate(["-1.#IND", "nan", "1.#QNAN"]):
        by_hand(f"no_data_nan_{number}.tif", no_data=text, values=floats)
        answer(f"no_data_nan_{number}.tif")
    marked = hills()
    marked[3, 4:7] = -9999
    by_hand("no_data_space.tif", no_data="-9999.0 ", values=marked)
    answer("no_data_space.tif")
    by_hand("no_data_comma.tif", no_data="-9999,0", values=marked)
    answer("no_data_comma.tif")
    by_hand("no_data_metres.tif", no_data="-9999 m", values=marked)
    answer("no_data_metres.tif", says=["taken for -9999"])
    by_hand("no_data_given.tif", no_data="None", values=marked)
    heights = marked.astype("float64")
    heights[marked == -9999] = np.nan
    answer("no_data_given.tif", heights=heights, says=["no number"], no_data=-9999.0,
           reading=dict(no_data=-9999))
    by_hand("undeclared.tif", values=marked)
    answer("undeclared.tif", says=["3 samples are -9999", "neighbours differ"])
    marked = np.where(marked == -9999, -32768, marked).astype("int16")
    by_hand("undeclared_int.tif", values=marked)
    answer("undeclared_int.tif", says=["3 samples are -32768", "lower than -12 km", "neighbours differ"])
    floats = hills("float32")
    floats[1:3, 2] = np.finfo("float32").min
    by_hand("no_data_least.tif", no_data="-3.40282e+38", values=floats)
    answer("no_data_least.tif", heights=np.where(floats < 0, np.nan, floats.astype("float64")),
           no_data=-3.40282e38)
    gdal("no_data_scaled.tif", scale=0.5, nodata=107)
    answer("no_data_scaled.tif")


def masks():
    mask = np.full((ROWS, COLUMNS), 255, "uint8")
    mask[2:5, 3:8] = 0
    values = np.where(mask == 0, 0, hills()).astype("int16")
    gdal("mask.tif", values=values, mask=mask)
    answer("mask.tif")
    tiles = dict(tiled=True, blockxsize=16, blockysize=16)
    gdal("mask_tiles.tif", values=values, mask=mask, compress="deflate", **tiles)
    answer("mask_tiles.tif")
    gdal("mask_big.tif", values=values, mask=mask, BIGTIFF="YES", ENDIANNESS="BIG", compress="lzw",
         **tiles)
    answer("mask_big.tif")
    gdal("mask_and_value.tif", values=values, mask=mask, nodata=105)
    answer("mask_and_value.tif", says=["GDAL_NODATA of 105"])
    def alpha(name, kind, **options):
        with rasterio.open(path(name), "w", driver="GTiff", dtype=kind, crs=UTM, ALPHA="YES",
                           transform=from_origin(500000, 5000000, 30, 20),
                           **{**SIZE, "count": 2}, **options) as file:
            file.write(values.astype(kind), 1)
            file.write(mask.astype(kind), 2)
    # GDAL takes only alpha of uint8 and uint16 for a mask.
    clear = np.where(mask == 0, np.nan, values)
    alpha("alpha.tif", "int16")
    answer("alpha.tif", heights=clear)
    alpha("alpha_tiles.tif", "float32", compress="deflate", predictor=3, **tiles)
    answer("alpha_tiles.tif", heights=clear)
    alpha("alpha_lzw.tif", "uint16", compress="lzw", **tiles)
    answer("alpha_lzw.tif")
    alpha("alpha_bands.tif", "int16", interleave="band")
    answers["alpha_bands.tif"] = dict(error="INTERLEAVE=PIXEL")
    with rasterio.open(path("two_bands.tif"), "w", driver="GTiff", dtype="int16", crs=UTM,
                       transform=from_origin(500000, 5000000, 30, 20),
                       **{**SIZE, "count": 2}) as file:
        file.write(np.stack([hills(), hills(low=900)]))
    answers["two_bands.tif"] = dict(error="gdal_translate -b 1")
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True, GDAL_TIFF_OVR_BLOCKSIZE=64,
                      COMPRESS_OVERVIEW="DEFLATE"):
        gdal("overviews.tif", values=values, mask=mask, compress="deflate")
        with rasterio.open(path("overviews.tif"), "r+") as file:
            file.build_overviews([2, 4])
        answer("overviews.tif")
        gdal("only_overviews.tif", compress="deflate")
        with rasterio.open(path("only_overviews.tif"), "r+") as file:
            file.build_overviews([2])
        answer("only_overviews.tif")
        rasterio.shutil.copy(path("overviews.tif"), path("cog.tif"), driver="COG", BLOCKSIZE=128,
                             OVERVIEW_COUNT=1, COMPRESS="DEFLATE")
        answer("cog.tif")
    with tifffile.TiffWriter(path("pages.tif")) as file:
        directory = [1, 1, 1, len(KEYS)] + [x for k, v in KEYS.items() for x in (k, 0, 1, v)]
        tags = [(34735, "H", len(directory), directory, True),
                (33550, "d", 3, (30.0, 20.0, 0.0), True),
                (33922, "d", 6, (0.0, 0.0, 0.0, 5e5, 5e6, 0.0), True)]
        for values in (hills(), hills(low=900)):
            file.write(values, extratags=tags, metadata=None, photometric="minisblack",
                       software=False)
    answer("pages.tif", says=["only the first image"])
    with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=False):
        with rasterio.open(path("outer_mask.tif"), "w", driver="GTiff", dtype="int16", crs=UTM,
                           transform=from_origin(500000, 5000000, 30, 20), **SIZE) as file:
            file.write(hills(), 1)
            file.write_mask(mask)
    answer("outer_mask.tif", heights=hills("float64"), says=["outer_mask.tif.msk is not read"])
    def corner(file, values):
        window = rasterio.windows.Window(0, 0, 16, 16)
        wide = np.full((16, 16), 200, "int16")
        file.write(wide, 1, window=window)
    for name, extra, says in [("sparse.tif", {}, ["left out"]),
                              ("sparse_no_data.tif", dict(nodata=-7), ["all samples are 200"])]:
        with rasterio.open(path(name), "w", driver="GTiff", dtype="int16", crs=UTM, width=40,
                           height=40, count=1, SPARSE_OK="TRUE", tiled=True, blockxsize=16,
                           blockysize=16, transform=from_origin(5e5, 5e6, 30, 20), **extra) as file:
            corner(file, None)
        sparse(name, says)


def sparse(name, says):
    """40 x 40 samples."""
    global COLUMNS, ROWS
    keep = COLUMNS, ROWS
    COLUMNS = ROWS = 40
    answer(name, says=says)
    COLUMNS, ROWS = keep


def places():
    gdal("south_up.tif", transform=Affine(30, 0, 5e5, 0, 20, 5e6))
    answer("south_up.tif")
    gdal("east_first.tif", transform=Affine(-30, 0, 5e5, 0, -20, 5e6))
    answer("east_first.tif")
    gdal("upside_down.tif", transform=Affine(-30, 0, 5e5, 0, 20, 5e6))
    answer("upside_down.tif")
    gdal("rotated.tif", transform=Affine(30, 1, 5e5, 1, -20, 5e6))
    refused("rotated.tif", "rotated")
    by_hand("points.tif", {1025: 2})
    answer("points.tif")
    matrix = [30.0, 0, 0, 5e5, 0, -20.0, 0, 5e6, 0, 0, 0, 0, 0, 0, 0, 1.0]
    by_hand("matrix_points.tif", {1025: 2}, matrix=matrix, scale=None, tie=None)
    answer("matrix_points.tif")
    by_hand("matrix_and_scale.tif", matrix=[99.0] + matrix[1:])
    answer("matrix_and_scale.tif")
    by_hand("tie_inside.tif", tie=(10, 5, 0, 500300, 4999900, 0))
    answer("tie_inside.tif")
    by_hand("negative_scale.tif", scale=(30.0, -20.0, 0.0))
    answer("negative_scale.tif", says=["the north is taken to be up"])
    by_hand("control_points.tif", scale=None,
            tie=(0, 0, 0, 5e5, 5e6, 0, 9, 0, 0, 500270, 5e6, 0, 0, 8, 0, 5e5, 4999840, 0))
    refused("control_points.tif", "ground control points")
    by_hand("no_model.tif", without=[1024, 3072])
    refused("no_model.tif", "Reading::spacing")


def projections():
    north = 8362698.548500747
    gdal("mercator.tif", "EPSG:3395", from_origin(1e6, north + 90, 30, 20))
    answer("mercator.tif", ground=True, says=[ASSUMED])
    gdal("mercator_41.tif", "EPSG:3994", from_origin(1e6, -4.2e6, 30, 20))
    answer("mercator_41.tif", ground=True, says=[ASSUMED])
    gdal("own_mercator.tif", "+proj=merc +lat_ts=40 +y_0=1000 +datum=WGS84 +units=us-ft",
         from_origin(1e6, 1.9e7, 100, 50))
    answer("own_mercator.tif", ground=True, says=["US survey feet, so its heights"])
    gdal("esri_mercator.tif", "ESRI:54004", from_origin(1e6, -6e6, 30, 20))
    answer("esri_mercator.tif", ground=True, says=[ASSUMED])
    gdal("web_mercator.tif", "EPSG:3857", from_origin(1e6, 6e6, 30, 20))
    answer("web_mercator.tif", ground=True, says=[ASSUMED])
    gdal("esri_web_mercator.tif", "ESRI:102100", from_origin(1e6, 6e6, 30, 20))
    answer("esri_web_mercator.tif", ground=True, says=[ASSUMED])
    for code in (32662, 4087):
        gdal(f"plate_carree_{code}.tif", f"EPSG:{code}", from_origin(1e6, 6.6e6, 30, 20))
        answer(f"plate_carree_{code}.tif", ground=True, says=[ASSUMED])
    gdal("own_equirectangular.tif", "+proj=eqc +lat_ts=40 +datum=WGS84 +units=ft",
         from_origin(3e6, -1.5e7, 100, 50))
    answer("own_equirectangular.tif", ground=True, says=["in feet, so its heights may be"])
    for code, corner in [(3413, (1e6, -2e6)), (3031, (2e6, 1e6)), (32661, (2.5e6, 1.5e6))]:
        gdal(f"polar_{code}.tif", f"EPSG:{code}", from_origin(*corner, 30, 20))
        answer(f"polar_{code}.tif", ground=True, says=[ASSUMED])
    gdal("own_polar.tif", "+proj=stere +lat_0=90 +lat_ts=75 +lon_0=-45 +datum=WGS84",
         from_origin(1e6, -2e6, 30, 20))
    answer("own_polar.tif", ground=True, says=[ASSUMED])
    gdal("laea.tif", "EPSG:3035", from_origin(4e6, 3e6, 30, 20))
    answer("laea.tif", says=["EPSG:3035 stretches", ASSUMED])
    gdal("lambert_atlas.tif", "EPSG:3978", from_origin(0, 0, 30, 20))
    answer("lambert_atlas.tif", says=["EPSG:3978 stretches", ASSUMED])
    gdal("sinusoidal.tif", "+proj=sinu +lon_0=0 +datum=WGS84", from_origin(1e6, 5e6, 30, 20))
    answer("sinusoidal.tif", says=["stretches", ASSUMED])
    gdal("mollweide.tif", "ESRI:54009", from_origin(1e6, 5e6, 30, 20))
    answer("mollweide.tif", says=[STRETCHED, ASSUMED])
    gdal("utm_far.tif", "EPSG:32632", from_origin(2e6, 5e6, 30, 20))
    answer("utm_far.tif", says=[FAR, ASSUMED])
    gdal("lambert_far.tif", "+proj=lcc +lat_1=44 +lat_2=49 +lat_0=46.5 +lon_0=3 +x_0=700000 "
         "+y_0=6600000 +datum=WGS84", from_origin(7e5, 5e6, 30, 20))
    answer("lambert_far.tif", says=[FAR, ASSUMED])
    by_hand("tall.tif", {1024: 2, 2048: 4326, 2054: 9102}, scale=(0.5, 0.5, 0.0),
            tie=(0, 0, 0, 6, 82, 0), without=[3072])
    east, north = on_the_ground(rasterio.crs.CRS.from_epsg(4326),
                                [9 - 0.0055, 79.75 + 0.004], [0.001, 0.001])
    answer("tall.tif", spacing=[500 * east, 500 * north], says=["is so large that"])
    gdal("georgia.tif", "ESRI:102604", from_origin(1e6, 2e5, 30, 20))
    answer("georgia.tif", says=["US survey feet, so its heights may be", FAR])
    gdal("grads.tif", "EPSG:4807", from_origin(2, 52, 0.001, 0.001))
    answer("grads.tif", says=[ASSUMED])
    small = (0.001, 0.001, 0.0)
    for unit in (9102, 9122):
        by_hand(f"angles_{unit}.tif", {1024: 2, 2048: 4326, 2054: unit}, scale=small,
                tie=(0, 0, 0, 6, 46, 0), without=[3072])
        answer(f"angles_{unit}.tif")
    by_hand("radians.tif", {1024: 2, 2048: 4326, 2054: 9101}, scale=(1e-5, 1e-5, 0.0),
            tie=(0, 0, 0, 0.1, 0.8, 0), without=[3072])
    degree = 180 / np.pi
    lengths = on_the_ground(rasterio.crs.CRS.from_epsg(4326),
                            [x * degree for x in (0.1 + 5e-6, 0.8 - 5e-6)], [1e-5 * degree] * 2)
    answer("radians.tif", spacing=lengths)
    by_hand("sexagesimal.tif", {1024: 2, 2048: 4326, 2054: 9110}, scale=small,
            tie=(0, 0, 0, 6, 46, 0), without=[3072])
    refused("sexagesimal.tif", "EPSG:9110")
    gdal("mars.tif", "+proj=longlat +a=3396190 +b=3376200 +no_defs", from_origin(6, 46, 0.01, 0.01))
    answer("mars.tif", says=[ASSUMED])


def worlds():
    world = "30\n0\n0\n-20\n500015\n4999990\n"
    plain = dict(scale=None, tie=None, keys={}, without=list(KEYS))
    taken = "are taken for metres"
    for name, ending, text in [("world", "tfw", world), ("world_tifw", "tifw", world),
                               ("world_wld", "wld", world),
                               ("world_comma", "tfw", world.replace("15", "15,5"))]:
        by_hand(f"{name}.tif", **plain)
        beside(f"{name}.{ending}", text)
        answer(f"{name}.tif", says=[taken, ASSUMED])
    by_hand("world_capital.tif", **plain)
    beside("world_capital.TFW", world)
    answer("world_capital.tif", says=[taken, ASSUMED])
    by_hand("world_ignored.tif")
    beside("world_ignored.tfw", world.replace("30", "99"))
    answer("world_ignored.tif")
    by_hand("world_south.tif", **plain)
    beside("world_south.tfw", world.replace("-20", "20"))
    answer("world_south.tif", says=[taken, ASSUMED])
    by_hand("world_rotated.tif", **plain)
    beside("world_rotated.tfw", world.replace("0\n0\n-", "1\n1\n-"))
    refused("world_rotated.tif", "rotated")
    by_hand("world_degrees.tif", **plain)
    beside("world_degrees.tfw", "0.001\n0\n0\n-0.001\n6\n46\n")
    lengths = on_the_ground(rasterio.crs.CRS.from_epsg(4326), [6, 46], [0.001, 0.001])
    answer("world_degrees.tif", spacing=lengths, says=["are taken for degrees", ASSUMED])
    by_hand("world_keys.tif", {3072: 2263, 4096: 6360}, scale=None, tie=None)
    beside("world_keys.tfw", world)
    answer("world_keys.tif")
    by_hand("world_keys_degrees.tif", {1024: 2, 2048: 4326, 2054: 9102}, scale=None, tie=None,
            without=[3072])
    beside("world_keys_degrees.tfw", "0.05\n0\n0\n-0.05\n6\n46\n")
    answer("world_keys_degrees.tif")
    by_hand("world_prj.tif", **plain)
    beside("world_prj.tfw", world)
    beside("world_prj.prj", rasterio.crs.CRS.from_epsg(2263).to_wkt())
    answer("world_prj.tif", spacing=[30 * US_FOOT, 20 * US_FOOT], says=[FAR, ASSUMED])
    feet = pyproj.CRS.from_user_input("EPSG:2263+5703").to_wkt("WKT1_ESRI")
    heights = pyproj.CRS.from_user_input("EPSG:2263+6360").to_wkt("WKT2_2019")
    mars = pyproj.CRS.from_user_input("+proj=longlat +a=3396190 +b=3376200").to_wkt("WKT1_ESRI")
    mercator = pyproj.CRS.from_epsg(3994).to_wkt("WKT1_ESRI")
    polar = pyproj.CRS.from_epsg(3413).to_wkt("WKT2_2019")
    for name, wkt, step, place, says in [
            ("prj_heights_apart", feet, [30, 20], [1000000, 200000], []),
            ("prj_heights_in_feet", heights, [30, 20], [1000000, 200000], ["of its .prj file are"]),
            ("prj_mars", mars, [0.002, 0.001], [5, 20], []),
            ("prj_mercator", mercator, [30, 20], [1000000, -5000000], []),
            ("prj_polar", polar, [30, 20], [400000, -2000000], []),
            ("prj_sinusoidal", "ESRI:54008", [30, 20], [1000000, 100000], [STRETCHED])]:
        by_hand(f"{name}.tif", **plain)
        beside(f"{name}.tfw", f"{step[0]}\n0\n0\n-{step[1]}\n{place[0]}\n{place[1]}\n")
        crs = pyproj.CRS.from_user_input(wkt)
        beside(f"{name}.prj", wkt if "[" in wkt else crs.to_wkt("WKT1_ESRI"))
        lengths = on_the_ground(rasterio.crs.CRS.from_wkt(crs.to_wkt()), place, step)
        if "sinusoidal" in name:
            lengths = step
        elif "heights" in name:
            lengths = [x * US_FOOT for x in step]
        answer(f"{name}.tif", spacing=lengths, says=says + [ASSUMED])
    values = hills("uint16")
    png("world_png.png", grey(values), 0, 16)
    beside("world_png.pgw", world)
    answer("world_png.png", reading=dict(height_scale=1.0), says=[taken])
    png("transparent.png", grey(values), 0, 16,
        struct.pack(">I", 2) + b"tRNS" + struct.pack(">H", 107)
        + struct.pack(">I", zlib.crc32(b"tRNS" + struct.pack(">H", 107))))
    answer("transparent.png", reading=dict(height_scale=1.0, spacing=[5.0, 5.0]),
           says=["no georeference"])
    meters = hills("float64", low=300)
    coded = np.round((meters + 10000) * 10).astype("int64")
    mapbox = [b"".join(struct.pack(">I", x)[1:] for x in row) for row in coded.tolist()]
    png("terrain_rgb.png", mapbox, 2, 8)
    with rasterio.open(path("terrain_rgb.png")) as file:
        r, g, b = file.read().astype("float64")
    answer("terrain_rgb.png", heights=-10000 + (r * 65536 + g * 256 + b) * 0.1,
           reading=dict(format="TerrainRgb", spacing=[5.0, 5.0]), says=["no georeference"])
    # Black pixels, and one that is transparent by its colour.
    coded[2:4] = 0
    heights = -10000 + coded * 0.1
    heights[0, 0] = np.nan
    colour = struct.pack(">HHH", *struct.pack(">I", coded[0, 0])[1:])
    mapbox_black = [b"".join(struct.pack(">I", x)[1:] for x in row) for row in coded.tolist()]
    png("terrain_rgb_black.png", mapbox_black, 2, 8, struct.pack(">I", 6) + b"tRNS" + colour
        + struct.pack(">I", zlib.crc32(b"tRNS" + colour)))
    answer("terrain_rgb_black.png", heights=heights, no_data=None,
           reading=dict(format="TerrainRgb", spacing=[5.0, 5.0]),
           says=["no georeference", "24 samples are -10000", "neighbours differ"])
    png("terrain_rgb_as_terrarium.png", mapbox, 2, 8)
    answer("terrain_rgb_as_terrarium.png", heights=r * 256 + g + b / 256 - 32768,
           reading=dict(format="Terrarium", spacing=[5.0, 5.0]),
           says=["no georeference", "lower than -12 km"])
    # The raster that a file of GDAL beside it places.
    by_hand("aux.tif", **plain)
    with rasterio.open(path("aux.tif")) as file:
        pass
    beside("aux.tif.aux.xml", "<PAMDataset><SRS>EPSG:32632</SRS><GeoTransform>5e5, 30, 0, 5e6, 0, "
           "-20</GeoTransform></PAMDataset>")
    answer("aux.tif", reading=dict(spacing=[30.0, 20.0]),
           says=["aux.tif.aux.xml has SRS, GeoTransform", "no georeference", ASSUMED])


def samples():
    values = hills()
    for kind in ["uint16", "int32", "uint32", "float32", "float64", "int64", "uint64"]:
        gdal(f"type_{kind}.tif", values=hills(kind), compress="deflate")
        answer(f"type_{kind}.tif")
    by_hand("type_float16.tif", values=hills("float16"))
    answer("type_float16.tif")
    by_hand("big_endian.tif", byteorder=">")
    answer("big_endian.tif")
    gdal("predictor.tif", compress="deflate", predictor=2)
    answer("predictor.tif")


for name in os.listdir(FOLDER):
    if not name.endswith((".py", ".json")):
        os.remove(path(name))
units()
no_data()
masks()
places()
projections()
worlds()
samples()
with open(path("answers.json"), "w") as file:
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(answers.items())]
    all_rasters = ",\n".join(map(json.dumps, rasters))
    files = ",\n".join(lines)
    file.write(f'{{"rasters": [\n{all_rasters}\n], "files": {{\n{files}\n}}}}\n')
print(len(answers), "files,", sum(os.path.getsize(path(n)) for n in os.listdir(FOLDER)), "bytes")
