"""What is shipped is what was tested, and the project's own files hold together."""

import json
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import jsonschema
import pytest
import yaml

from mfgit import __version__, model
from tests.distributions import Built, build, hatchling, tracked

TOP = Path(__file__).parent.parent
FOR_DEVELOPERS = {"all", "bench", "dev", "docs", "examples"}
SCHEMAS = sorted((TOP / "schemas").glob("*.schema.json"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return what a release builds from what Git tracks."""
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def wheel(built: Built) -> Path:
    """Return the wheel that the source distribution builds."""
    return built.wheel


def test_the_wheel_holds_the_package_its_schemas_hooks_and_manual_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    wanted = tracked("mfgit") | {f"mfgit/{name}" for name in tracked("schemas") | tracked("hooks")}
    assert names == wanted | {f"mfgit-{__version__}.data/data/{name}" for name in tracked("share")}


def test_the_source_distribution_holds_what_git_tracks(built: Built) -> None:
    with tarfile.open(built.source) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names - {"PKG-INFO"} == tracked(".")


def test_the_tree_and_the_source_distribution_build_the_same_wheel(built: Built) -> None:
    assert built.wheel.read_bytes() == built.from_tree.read_bytes()


def test_the_metadata_is_of_a_version_that_what_publishes_it_can_read(built: Built) -> None:
    with tarfile.open(built.source) as archive:
        file = archive.extractfile(f"mfgit-{__version__}/PKG-INFO")
        assert file is not None
        source = file.read()
    inside = zipfile.ZipFile(built.wheel).read(f"mfgit-{__version__}.dist-info/METADATA")
    assert source.startswith(b"Metadata-Version: 2.4\n")  # the check of the publishing action knows none above it
    assert inside == source


def test_what_a_package_index_shows_leads_nowhere_that_is_not_there(wheel: Path) -> None:
    text = zipfile.ZipFile(wheel).read(f"mfgit-{__version__}.dist-info/METADATA").decode()
    _, _, shown = text.partition("\n\n")
    assert shown.startswith("# mfgit")
    assert "## " in shown
    targets = re.findall(r"\]\(([^)]*)\)|(?:src|href)=\"([^\"]*)", shown)
    assert [target for pair in targets for target in pair if target and not target.startswith("https://")] == []


def test_all_takes_every_extra_that_is_for_users(wheel: Path) -> None:
    extras = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    (named,) = (re.fullmatch(r"mfgit\[(.*)\]", line) for line in extras["all"])
    assert named
    assert set(named[1].split(",")) == set(extras) - FOR_DEVELOPERS


def test_the_wheel_carries_its_licence_and_the_type_marker(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.endswith("licenses/LICENSES/Apache-2.0.txt") for name in names)
    assert "mfgit/py.typed" in names


def test_the_command_runs_from_an_unpacked_wheel(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import mfgit.model as m; "
        f"assert m.schema_folder().is_relative_to({str(tmp_path)!r}), m.schema_folder(); "
        "m.quick_check('turn'); from mfgit import sample; assert sample.originals() and sample.turns(); "
        "sys.argv = ['mfgit', '--version']; from mfgit.__main__ import main; main()"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, f"mfgit {__version__}\n"), ran.stderr


@pytest.mark.parametrize("page", ["docs/how-to/install.md", "docs/zh/how-to/install.md"])
def test_every_extra_that_is_for_users_is_documented(page: str) -> None:
    extras = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    rows = re.findall(r"^\| `(\w+)` \|", (TOP / page).read_text("utf-8"), re.MULTILINE)
    assert set(rows) == {*extras} - FOR_DEVELOPERS | {"all"}


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_is_valid_2020_12_and_named_for_its_file(path: Path) -> None:
    schema = json.loads(path.read_text("utf-8"))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["$id"] == path.name
    jsonschema.Draft202012Validator.check_schema(schema)


def test_a_schema_that_input_is_checked_against_has_its_quick_check() -> None:
    code = "".join(path.read_text("utf-8") for path in TOP.glob("mfgit/**/*.py"))
    names = set(re.findall(r'\b(?:check|fault|quick_check)\("(\w+)"', code))
    assert {"record", "turn"} <= names
    for name in names:
        assert isinstance(model.quick_check(name)({}), bool)


def test_the_version_is_written_once_more_than_once_the_same() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__
    assert f"## [{__version__}]" in (TOP / "CHANGELOG.md").read_text("utf-8")


def test_ci_runs_the_readmes_test_command_and_decides_nothing_itself() -> None:
    lines = [line for line in (TOP / ".ci/run").read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert lines[-1] == "exec make test"
    assert os.access(TOP / ".ci/run", os.X_OK)


def test_the_workflow_runs_what_decides_and_keeps_the_screenshots() -> None:
    path = TOP / ".github/workflows/test.yml"
    job = yaml.safe_load(path.read_text("utf-8"))["jobs"]["test"]
    (test,) = (step["run"] for step in job["steps"] if ".ci/run" in step.get("run", ""))
    kept = job["steps"][-1]["with"]["path"]
    assert test.splitlines()[-1] == f'TEST_SCREENSHOTS="$PWD/{kept}" .ci/run'
    assert "{{ github.workspace" not in json.dumps(job), "in a container that names a folder of the machine around it"


def test_the_workflows_give_nobody_more_than_they_need() -> None:
    """That is zizmor's word: pinned actions, least rights, no input inside a shell line."""
    zizmor = Path(sys.executable).parent / "zizmor"
    words = (zizmor, "--offline", "--no-progress", TOP / ".github/workflows")
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_only_the_job_that_publishes_can_speak_to_the_package_index() -> None:
    jobs = yaml.safe_load((TOP / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    assert {name: sorted(job["permissions"]) for name, job in jobs.items()} == {
        "build": ["contents"],
        "attest": ["attestations", "id-token"],
        "publish": ["id-token"],
        "list": ["contents"],
    }
    assert jobs["publish"]["environment"] == "release"
    assert any("ci/release" in step.get("run", "") for step in jobs["build"]["steps"])


def test_the_container_is_built_from_all_that_the_wheel_needs(built: Built, tmp_path: Path) -> None:
    lines = (TOP / ".dockerignore").read_text("utf-8").splitlines()
    context = sorted({name for line in lines if line.startswith("!") for name in tracked(line[1:])})
    assert not [name for name in context if name.startswith((".", "tests/"))]
    for name in context:
        (tmp_path / "context" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "context" / name).write_bytes((TOP / name).read_bytes())
        (tmp_path / "context" / name).chmod((TOP / name).stat().st_mode)
    hatchling(tmp_path / "context", tmp_path / "dist", "--target", "wheel")
    assert next((tmp_path / "dist").iterdir()).read_bytes() == built.wheel.read_bytes()


def test_no_file_is_larger_than_a_reader_can_take_in() -> None:
    long = {
        str(path.relative_to(TOP)): n
        for path in TOP.glob("mfgit/**/*.py")
        if (n := len(path.read_text("utf-8").splitlines())) > 400
    }
    assert not long


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    for name in ("Makefile", "pyproject.toml"):
        (folder / name).write_bytes((TOP / name).read_bytes())
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", *words], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_make_names_the_python_it_needs(tmp_path: Path) -> None:
    ran = make(tmp_path, "PYTHON=", "demo")
    assert ran.returncode != 0
    assert "Python 3.11 or newer" in ran.stdout
    assert not (tmp_path / ".venv").exists()


def test_make_says_what_to_install_where_no_environment_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "python").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python").chmod(0o755)
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    ran = make(tmp_path, f"PYTHON={tmp_path}/python", f"PATH={tmp_path}:/usr/bin:/bin", "demo")
    assert ran.returncode != 0
    assert "install python3-venv (or pip) and run make again" in ran.stdout
    assert not (tmp_path / ".venv").exists()


def test_make_goes_on_with_virtualenv_where_venv_does_not_work(tmp_path: Path) -> None:
    fake = tmp_path / "python"
    fake.write_text(
        "#!/bin/sh\n"
        'case "$2" in\n'
        "  venv) exit 1 ;;\n"
        "  virtualenv)\n"
        "    mkdir -p .venv/bin\n"
        "    printf '#!/bin/sh\\necho \"$@\" >> ran' > .venv/bin/python\n"
        "    chmod +x .venv/bin/python ;;\n"
        "esac\n"
    )
    fake.chmod(0o755)
    ran = make(tmp_path, f"PYTHON={fake}", ".venv/.run-ready")
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "ran").read_text() == "-m pip install --quiet --editable .\n"
