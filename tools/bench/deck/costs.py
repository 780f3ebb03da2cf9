"""What shaders cost on a Steam Deck's GPU, compiled by Mesa's RADV without that GPU.

usage: costs.py FOLDER [--update]

FOLDER has a folder for each kind of light, with a folder of SPIR-V modules for each scene, as
`deck` dumps them. RADV makes a device of any AMD GPU that RADV_FORCE_FAMILY names, compiles
pipelines for it, and tells what they need:

  registers   above 72, fewer than 14 of the 16 waves that hide the reads of each other fit
  waves       that fit into a SIMD unit at once
  cycles      of a wave, as the compiler guesses: loops count as if they ran several times, those
              over lights and shadow samples, too, and what is behind a branch counts as half. So
              compare them with those of Bevy's StandardMaterial in the same light, rather than
              with a clock: `x plain`. Its branch around lighting, of materials that are not lit,
              is left out, there and in ours: some of ours are always lit
  us/Mpx      the microseconds of a million invocations on a Steam Deck by that guess: 8 compute
              units of 2 SIMD units, 1.6 GHz, 32 invocations a wave; to be multiplied with the
              fragments and vertices that `bench gpu` counts. No such device has confirmed it: it
              leaves out waiting for memory, and counts loops as said, so only ratios are to be
              trusted

A pipeline is ours if it has names of our modules or types, and is called by those that only it has.
Fails if a shader of ours takes 5 % more cycles, or has fewer waves, than costs.json says, or if
there is a variant more or less: look at the table, then write costs.json anew with --update. Other
versions of Mesa compile in other ways; with one of them it compares nothing, and says so.
"""

import base64
import json
import pathlib
import re
import subprocess
import sys
import traceback

import vulkan as vk
from vulkan import ffi

COSTS = pathlib.Path(__file__).with_name("costs.json")
DEARER = 1.05
# Names of an imported module end in its path, in base 32.
MODULE = re.compile(r"X_naga_oil_mod_X([A-Z2-7]+)X$")
OP_NAME, OP_ENTRY_POINT, OP_CONSTANT, OP_FUNCTION, OP_BITWISE_AND = 5, 15, 43, 54, 199
# STANDARD_MATERIAL_FLAGS_UNLIT_BIT
UNLIT = 32
KINDS = {"vert": "vertex", "frag": "fragment", "comp": "compute"}
NUMBERS = {"float": "SFLOAT", "uint": "UINT", "int": "SINT"}
VECTORS = {"vec": "float", "uvec": "uint", "ivec": "int"}


class Module:
    """A shader, and what it needs."""

    def __init__(self, path):
        self.path = path
        self.code = path.read_bytes()
        reflected = subprocess.run(
            ["spirv-cross", str(path), "--reflect"], check=True, capture_output=True
        )
        self.needs = json.loads(reflected.stdout)
        (entry,) = self.needs["entryPoints"]
        self.entry, self.kind = entry["name"], KINDS[entry["mode"]]
        self.names = set(names(self.code))
        paths = (MODULE.search(name) for name in self.names)
        self.names |= {decoded(path.group(1)) for path in paths if path}
        if self.kind == "fragment":
            self.code = always_lit(self.code)
        self.order = int(re.search(r"(\d+)", path.stem).group(1))

    def places(self, direction):
        """The types of its inputs or outputs by their locations."""
        found = {}
        for place in self.needs.get(direction, []):
            kind, count = re.fullmatch(r"([a-z]+?)(\d?)", place["type"]).groups()
            found[place["location"]] = (VECTORS.get(kind, kind), int(count or 1))
        return found

    def bindings(self):
        """(set, binding), the type of the descriptor, and how many there are."""
        storage, sampled = vk.VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, vk.VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE
        types = {
            "ssbos": vk.VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            "ubos": vk.VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
            "images": storage,
            "separate_images": sampled,
            "separate_samplers": vk.VK_DESCRIPTOR_TYPE_SAMPLER,
        }
        for group, kind in types.items():
            for need in self.needs.get(group, []):
                (count,) = need.get("array", [1])
                yield (need["set"], need["binding"]), kind, count


def format_of(number, count):
    """The format of a vertex's attribute of so many numbers."""
    channels = "".join(f"{channel}32" for channel in "RGBA"[:count])
    return getattr(vk, f"VK_FORMAT_{channels}_{NUMBERS[number]}")


def instructions(words):
    """The operation and the words of each instruction."""
    at = 5
    while at < len(words):
        length, operation = words[at] >> 16, words[at] & 0xFFFF
        yield operation, words[at : at + length]
        at += length


def names(code):
    """The names of types, variables and functions in a module."""
    for operation, words in instructions(memoryview(code).cast("I")):
        if operation == OP_NAME:
            yield words[2:].tobytes().split(b"\0")[0].decode()


def always_lit(code):
    """The same without the flag of materials that are not lit, which the entry point tests."""
    words = memoryview(bytearray(code)).cast("I")
    constants, entry, function = {}, None, None
    for operation, found in instructions(words):
        if operation == OP_ENTRY_POINT:
            entry = found[2]
        elif operation == OP_FUNCTION:
            function = found[2]
        elif operation == OP_CONSTANT and len(found) == 4:
            constants[found[1], found[3]] = found[2]
        elif operation == OP_BITWISE_AND and function == entry:
            unlit, zero = (constants.get((found[1], value)) for value in (UNLIT, 0))
            if found[4] == unlit and zero is not None:
                found[4] = zero
    return words.tobytes()


def decoded(path):
    """The path of a module, as names that it exports end in it."""
    return base64.b32decode(path + "=" * (-len(path) % 8)).decode()


class Device:
    """Compiles for the GPU that RADV_FORCE_FAMILY names."""

    def __init__(self):
        app = vk.VkApplicationInfo(apiVersion=vk.VK_MAKE_VERSION(1, 3, 0))
        self.instance = vk.vkCreateInstance(vk.VkInstanceCreateInfo(pApplicationInfo=app), None)
        gpu = vk.vkEnumeratePhysicalDevices(self.instance)[0]
        self.driver = driver(gpu)
        newest = vk.VkPhysicalDeviceVulkan13Features(dynamicRendering=1)
        newer = vk.VkPhysicalDeviceVulkan12Features(
            pNext=newest, descriptorIndexing=1, runtimeDescriptorArray=1, bufferDeviceAddress=1
        )
        told = vk.VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR(
            pNext=newer, pipelineExecutableInfo=1
        )
        features = vk.VkPhysicalDeviceFeatures(
            dualSrcBlend=1,
            shaderClipDistance=1,
            independentBlend=1,
            fragmentStoresAndAtomics=1,
            vertexPipelineStoresAndAtomics=1,
            shaderStorageImageWriteWithoutFormat=1,
            shaderStorageImageReadWithoutFormat=1,
            shaderStorageImageExtendedFormats=1,
        )
        queue = vk.VkDeviceQueueCreateInfo(
            queueFamilyIndex=0, queueCount=1, pQueuePriorities=[1.0]
        )
        self.device = vk.vkCreateDevice(
            gpu,
            vk.VkDeviceCreateInfo(
                pNext=told,
                pQueueCreateInfos=[queue],
                pEnabledFeatures=features,
                ppEnabledExtensionNames=["VK_KHR_pipeline_executable_properties"],
            ),
            None,
        )
        find = lambda name: vk.vkGetDeviceProcAddr(self.device, name)
        self.properties = find("vkGetPipelineExecutablePropertiesKHR")
        self.statistics = find("vkGetPipelineExecutableStatisticsKHR")

    def stage(self, module):
        stages = {
            "vertex": vk.VK_SHADER_STAGE_VERTEX_BIT,
            "fragment": vk.VK_SHADER_STAGE_FRAGMENT_BIT,
            "compute": vk.VK_SHADER_STAGE_COMPUTE_BIT,
        }
        code = vk.VkShaderModuleCreateInfo(codeSize=len(module.code), pCode=module.code)
        return vk.VkPipelineShaderStageCreateInfo(
            stage=stages[module.kind],
            module=vk.vkCreateShaderModule(self.device, code, None),
            pName=module.entry,
        )

    def layout(self, modules):
        sets = {}
        for module in modules:
            for (group, binding), kind, count in module.bindings():
                sets.setdefault(group, {})[binding] = vk.VkDescriptorSetLayoutBinding(
                    binding=binding,
                    descriptorType=kind,
                    descriptorCount=count,
                    stageFlags=vk.VK_SHADER_STAGE_ALL,
                )
        layouts = [
            vk.vkCreateDescriptorSetLayout(
                self.device,
                vk.VkDescriptorSetLayoutCreateInfo(pBindings=list(sets.get(group, {}).values())),
                None,
            )
            for group in range(max(sets, default=-1) + 1)
        ]
        # As much as any device promises.
        push = vk.VkPushConstantRange(stageFlags=vk.VK_SHADER_STAGE_ALL, offset=0, size=128)
        return vk.vkCreatePipelineLayout(
            self.device,
            vk.VkPipelineLayoutCreateInfo(pSetLayouts=layouts, pPushConstantRanges=[push]),
            None,
        )

    def draws(self, vertex, fragment):
        """What the stages of a pipeline need that draws."""
        inputs = vertex.places("inputs")
        outputs = fragment.places("outputs") if fragment else {}
        modules = [vertex, fragment] if fragment else [vertex]
        attributes = [
            vk.VkVertexInputAttributeDescription(
                location=at, binding=0, format=format_of(*kind), offset=16 * at
            )
            for at, kind in inputs.items()
        ]
        stride = 16 * (max(inputs, default=0) + 1)
        buffers = [vk.VkVertexInputBindingDescription(binding=0, stride=stride, inputRate=0)]
        targets = max(outputs, default=-1) + 1
        rendering = vk.VkPipelineRenderingCreateInfo(
            colorAttachmentCount=targets,
            pColorAttachmentFormats=[vk.VK_FORMAT_R16G16B16A16_SFLOAT] * targets,
            depthAttachmentFormat=vk.VK_FORMAT_D32_SFLOAT,
        )
        extent = vk.VkExtent2D(64, 64)
        # A copy of a stage does not keep its strings.
        stages = [self.stage(module) for module in modules]
        info = vk.VkGraphicsPipelineCreateInfo(
            pNext=rendering,
            flags=vk.VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
            pStages=stages,
            pVertexInputState=vk.VkPipelineVertexInputStateCreateInfo(
                pVertexBindingDescriptions=buffers if attributes else [],
                pVertexAttributeDescriptions=attributes,
            ),
            pInputAssemblyState=vk.VkPipelineInputAssemblyStateCreateInfo(
                topology=vk.VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
            ),
            pViewportState=vk.VkPipelineViewportStateCreateInfo(
                viewportCount=1,
                pViewports=[vk.VkViewport(0, 0, 64, 64, 0, 1)],
                scissorCount=1,
                pScissors=[vk.VkRect2D(vk.VkOffset2D(0, 0), extent)],
            ),
            pRasterizationState=vk.VkPipelineRasterizationStateCreateInfo(
                polygonMode=0, cullMode=0, frontFace=0, lineWidth=1.0
            ),
            pMultisampleState=vk.VkPipelineMultisampleStateCreateInfo(rasterizationSamples=1),
            pDepthStencilState=vk.VkPipelineDepthStencilStateCreateInfo(
                depthTestEnable=1,
                depthWriteEnable=1,
                depthCompareOp=vk.VK_COMPARE_OP_GREATER,
            ),
            pColorBlendState=vk.VkPipelineColorBlendStateCreateInfo(
                pAttachments=[vk.VkPipelineColorBlendAttachmentState(colorWriteMask=15)] * targets
            ),
            layout=self.layout(modules),
        )
        (pipeline,) = vk.vkCreateGraphicsPipelines(self.device, None, 1, [info], None)
        return self.needs(pipeline)

    def computes(self, module):
        """What a pipeline needs that computes."""
        stage = self.stage(module)
        info = vk.VkComputePipelineCreateInfo(
            flags=vk.VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR,
            stage=stage,
            layout=self.layout([module]),
        )
        (pipeline,) = vk.vkCreateComputePipelines(self.device, None, 1, [info], None)
        return self.needs(pipeline)

    def needs(self, pipeline):
        found = []
        info = vk.VkPipelineInfoKHR(pipeline=pipeline)
        for index, _ in enumerate(self.properties(self.device, info)):
            executable = vk.VkPipelineExecutableInfoKHR(pipeline=pipeline, executableIndex=index)
            told = {
                text(number.name): number.value.u64
                for number in self.statistics(self.device, executable)
            }
            found.append(
                {
                    "cycles": told["Inverse Throughput"],
                    "registers": told["VGPRs"],
                    "spilled": told["Spilled VGPRs"],
                    "waves": told["Subgroups per SIMD"],
                    "instructions": told["Instructions"],
                    "alu": told["VALU"],
                    "reads": told["VMEM"],
                }
            )
        return found


def driver(gpu):
    """The GPU and the version of the driver."""
    properties = vk.vkGetPhysicalDeviceProperties(gpu)
    version = properties.driverVersion
    numbers = (version >> 22, version >> 12 & 0x3FF, version & 0xFFF)
    return f"{text(properties.deviceName)}, Mesa {'.'.join(map(str, numbers))}"


def text(name):
    return name if isinstance(name, str) else ffi.string(name).decode()


def vertex_of(fragment, modules):
    """The vertex shader of the pipeline of a fragment shader."""
    reads = fragment.places("inputs")

    def fits(vertex):
        writes = vertex.places("outputs")
        return all(writes.get(at) == kind for at, kind in reads.items())

    def score(vertex):
        # A pipeline's vertex shader is compiled just before.
        distance = fragment.order - vertex.order
        return (distance != 1, len(vertex.places("outputs")), distance < 0, abs(distance))

    fitting = [module for module in modules if module.kind == "vertex" and fits(module)]
    return min(fitting, key=score, default=None)


# The ground's vertices with Bevy's StandardMaterial, and those of depth alone.
PLAIN = "ground, plain"

# What a shader is called by a name that only it has, of a structure, a variable, a function or an
# imported module. The first that matches counts.
SIGNS = [
    ("bevy_orogeny::ground_bindings", "ground"),
    ("bevy_orogeny::impostors", "plants from afar"),
    ("PlantOutput", "plants"),
    ("Waves", "sea"),
    ("Ripples", "rivers"),
    ("noise_volume", "below water"),
    ("Inside", "voids"),
    ("write_instances", "selection: write instances"),
    ("write_arguments", "selection: write arguments"),
    ("make_room", "selection: make room"),
    ("Tier", "selection: count"),
    ("bevy_orogeny::water", "water"),
    ("bevy_orogeny::morph", PLAIN),
]


def called(modules):
    """What a pipeline of ours is called; none for Bevy's."""
    for sign, name in SIGNS:
        if any(sign in module.names for module in modules):
            return name
    return None


def measured(device, folder):
    """The cost of each pipeline of a scene."""
    modules = sorted(map(Module, folder.glob("*.spirv")), key=lambda module: module.order)
    drawn = set()
    for module in modules:
        if module.kind == "fragment":
            vertex = vertex_of(module, modules)
            if vertex is None:
                raise ValueError(f"{module.path}: no vertex shader writes what it reads")
            drawn.add(vertex.path)
            yield [vertex, module], device.draws(vertex, module)
        elif module.kind == "compute":
            yield [module], device.computes(module)
    # Those that draw depth alone.
    for module in modules:
        if module.kind == "vertex" and module.path not in drawn:
            yield [module], device.draws(module, None)


def costs(device, folder):
    """The costs of our shaders by name and stage, dearest first, and each just once."""
    found = {}
    for light in folders(folder):
        all_measured = [(called(modules), modules, needs)
                        for scene in folders(light) for modules, needs in measured(device, scene)]
        (plain,) = {need["cycles"] for name, modules, needs in all_measured if name == PLAIN
                    for module, need in zip(modules, needs) if module.kind == "fragment"}
        for name, modules, needs in all_measured:
            for module, need in zip(modules, needs):
                if module.kind == "fragment":
                    need["x plain"] = round(need["cycles"] / plain, 2)
                variants = found.setdefault(f"{name}: {module.kind}", [])
                if name and need not in variants:
                    variants.append(need)
    for variants in found.values():
        variants.sort(key=lambda need: tuple(-number for number in need.values()))
    return {name: found[name] for name in sorted(found) if found[name]}


def folders(folder):
    return sorted(path for path in folder.iterdir() if path.is_dir())


def table(found):
    """The costs as a table."""
    columns = ("cycles", "x plain", "us/Mpx", "waves", "registers", "spilled", "instructions",
               "alu", "reads")
    yield f"{'':28}" + "".join(f"{column:>13}" for column in columns)
    for name, variants in sorted(found.items(), key=lambda item: -item[1][0]["cycles"]):
        for need in variants:
            waves = 1e6 / 32 / (8 * 2)
            row = {"x plain": "", **need, "us/Mpx": f"{waves * need['cycles'] / 1.6e9 * 1e6:.0f}"}
            yield f"{name:28}" + "".join(f"{row[column]:>13}" for column in columns)


def worse(known, found):
    """What is dearer than before, new, or gone."""
    for name in sorted(known.keys() | found.keys()):
        before, now = known.get(name, []), found.get(name, [])
        if len(before) != len(now):
            yield f"{name}: {len(now)} variants instead of {len(before)}"
        for old, new in zip(before, now):
            if new["cycles"] > DEARER * old["cycles"] or new["waves"] < old["waves"]:
                yield f"{name}: {new} instead of {old}"


def written(report):
    """A report as JSON, with a line for each shader."""
    text = json.dumps(report, indent=1)
    return re.sub(r"\{\s+(\"cycles[^}]*?)\s+\}", lambda row: flat(row.group(1)), text) + "\n"


def flat(fields):
    return "{" + re.sub(r"\s+", " ", fields) + "}"


def main():
    folder, *options = sys.argv[1:]
    device = Device()
    found = costs(device, pathlib.Path(folder))
    print(device.driver, *table(found), sep="\n")
    if "--update" in options:
        COSTS.write_text(written({"driver": device.driver, "costs": found}))
        return
    known = json.loads(COSTS.read_text())
    if known["driver"] != device.driver:
        print(f"Not compared: costs.json is of {known['driver']}")
        return
    problems = list(worse(known["costs"], found))
    if problems:
        print("Dearer on a Steam Deck than costs.json says:", *problems, sep="\n")
        sys.exit(1)


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(2)
