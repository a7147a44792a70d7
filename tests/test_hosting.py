"""What hosts run the bot with: an image that downloads nothing unpinned, and services that restart it."""

import configparser
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from bot.cli.errors import BAD_INPUT, TRY_AGAIN
from bot.run.monitoring.service_manager import TELL_SECONDS

ROOT = Path(__file__).parents[1]
LOCKS = ["requirements.lock", "build.lock"]
FULL_VERSION = re.compile(r"python:3\.\d+\.\d+-slim-[a-z]+(@sha256:[0-9a-f]{64})?")
LOADS = re.compile(r"(?<![\w-])(pip3?|pipx|uvx?|apt|apt-get|apk|curl|wget|git|npm|http\S*)\b")
"""What can download something."""
UNIT = ROOT / "docs" / "gnau.service"


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, each with what follows it in one line."""
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines()
    return [(name, rest) for name, _, rest in (line.partition(" ") for line in joined if line)]


def test_every_base_image_has_a_full_version() -> None:
    stages: set[str] = set()
    for name, rest in instructions():
        if name == "FROM":
            image, _, stage = rest.partition(" AS ")
            assert image in stages or FULL_VERSION.fullmatch(image), image
            stages.add(stage)
        copied_from = re.search(r"--from=(\S+)", rest)
        assert copied_from is None or copied_from[1] in stages, rest


def test_building_the_image_downloads_only_what_a_lock_has() -> None:
    locked = []
    for name, rest in instructions():
        assert name in ("FROM", "WORKDIR", "RUN", "COPY", "ENV", "USER", "VOLUME", "HEALTHCHECK", "CMD"), name
        if name != "RUN":
            assert "://" not in rest
            continue
        for command in re.split(r"\s*(?:&&|;|\|)\s*", rest):
            if not LOADS.search(command):
                continue
            assert re.match(r"pip (--python \S+ )?(install|wheel) ", command), command
            assert "--no-deps" in command, "a package that is not named here is not locked"
            if lock := re.search(r"--require-hashes -r (\S+)$", command):
                locked.append(lock[1])
            else:
                assert "--no-index" in command, command
            if command.endswith(" ."):
                assert "--no-build-isolation" in command, "it would download build tools"
    assert sorted(locked) == sorted(LOCKS)
    assert any(name == "ENV" and "PIP_ONLY_BINARY=:all:" in rest for name, rest in instructions())


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_has_a_version_and_hashes_for_each_package_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    assert "://" not in text
    packages = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^\s*#.*\n", "", text)).splitlines()
    assert packages
    for package in packages:
        assert re.match(r"[a-z0-9._-]+==\S+ .*--hash=sha256:[0-9a-f]{64}", package), package
        assert not package.startswith("-")


def test_the_tools_that_build_the_package_are_those_in_the_lock() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["dependency-groups"]["build"] == project["build-system"]["requires"]
    for tool in project["build-system"]["requires"]:
        assert re.search(rf"(?m)^{re.split('[><=~]', tool)[0]}==", (ROOT / "build.lock").read_text())


def test_no_lock_is_left_out_of_the_image() -> None:
    ignored = (ROOT / ".dockerignore").read_text().split()
    copied = {
        file
        for name, rest in instructions()
        if name == "COPY" and "--from" not in rest
        for file in rest.split()[:-1]
    }
    assert {*LOCKS, "bot", "cogs", "pyproject.toml"} <= copied
    assert not copied & set(ignored)
    assert all((ROOT / file).exists() for file in copied)


@pytest.mark.parametrize("place", [ROOT / "README.md", UNIT], ids=lambda place: place.name)
def test_what_a_host_installs_by_hand_is_pinned_and_without_development_tools(place: Path) -> None:
    """`uv run` would install the newest of everything, with mypy, Playwright and the practice page."""
    text = place.read_text()
    assert "uv run gnau run" not in text
    assert re.findall(r"^#? +(?:\S*/bin/)?pip (.*)$", text, re.MULTILINE) == [
        "install --require-hashes -r requirements.lock -r build.lock",
        "install --no-deps --no-index --no-build-isolation .",
    ]
    locked = {line.partition("==")[0] for line in (ROOT / "requirements.lock").read_text().splitlines()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = [*project["project"]["optional-dependencies"]["practice"], *project["dependency-groups"]["dev"]]
    assert not locked & {re.split(r"[\[<>=~]", extra)[0] for extra in extras if isinstance(extra, str)}


def test_compose_contains_every_service_and_keeps_what_must_stay() -> None:
    composed = yaml.safe_load((ROOT / "compose.yaml").read_text())
    for name, service in composed["services"].items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert {"mem_limit", "pids_limit", "restart"} <= service.keys(), name
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", [])), name
        for place in service["volumes"]:
            source, inside, *_ = place.split(":")
            assert source in composed["volumes"] or inside == "/rclone.conf" or (ROOT / source).is_file(), (
                place
            )
    bot = composed["services"]["gnau"]
    assert bot["volumes"] == ["gnau:/srv/gnau/data"]
    assert bot["stop_grace_period"] == "30s"
    user = re.search(r"useradd .*--uid (\d+)", (ROOT / "Dockerfile").read_text())
    assert user is not None
    assert composed["services"]["copies"]["user"] == f"{user[1]}:{user[1]}", (
        "backups are for their owner alone"
    )


def test_docker_restarts_the_bot_and_lets_it_close() -> None:
    run = re.sub(r"\\\n\s*", "", (ROOT / "README.md").read_text())
    (line,) = re.findall(r"docker run --detach .*", run)
    assert "--restart unless-stopped" in line
    assert "--stop-timeout 30" in line
    assert "after status 2" in run, "Docker cannot leave it stopped then"
    assert "--volume gnau:/srv/gnau/data" in line


def test_systemd_restarts_the_bot_unless_somebody_must_mend_something() -> None:
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]  # the usual way to keep capitals
    unit.read_string(UNIT.read_text())
    service = unit["Service"]
    assert service["Restart"] == "on-failure"
    final = set(map(int, service["RestartPreventExitStatus"].split()))
    assert final == {BAD_INPUT}
    assert TRY_AGAIN not in final
    assert service["KillMode"] == "mixed", "a backup that is being made is ended by the bot"
    assert (service["Type"], service["LimitCORE"]) == ("notify", "0"), "a dump contains the token"
    assert float(service["WatchdogSec"]) > 5 * TELL_SECONDS
    assert service["ReadWritePaths"] == f"{service['WorkingDirectory']}/data"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd to ask")
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/srv/gnau/.venv/bin/gnau", "/bin/true"))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (verified.returncode, UNIT.name in verified.stderr) == (0, False), verified.stderr


def test_a_release_has_what_the_changelog_says_of_its_version_and_no_other(tmp_path: Path) -> None:
    script = tmp_path / "scripts" / "release-notes"
    script.parent.mkdir()
    shutil.copy(ROOT / "scripts" / "release-notes", script)
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## 1.0.1\n\nNewer.\n\n## 1.0.0\n\n### For hosts\n\n- [Old](docs/OLD.md#a).\n"
    )

    def notes(*given: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run([script, *given], capture_output=True, text=True, timeout=60, check=False)

    assert notes("1.0.0").stdout.split("\n") == ["", "### For hosts", "", "- [Old](docs/OLD.md#a).", ""]
    assert "- [Old](https://here/docs/OLD.md#a)." in notes("1.0.0", "https://here").stdout
    assert (notes("1.0").returncode, notes("1.0").stdout) == (1, "")


def test_the_changelogs_newest_version_is_this_one() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    parts = re.findall(r"^## (.*)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert next(part for part in parts if part != "Unreleased") == version
