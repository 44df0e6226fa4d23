"""Tests the parts of deploy/release with small files. Exits with 0 when all checks pass."""

import gzip
import hashlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "deploy" / "packaging"
DATE = 1_800_000_000
STATUS = """\
Package: libb1
Status: install ok installed
Architecture: amd64
Source: bee (1.0)
Version: 1.0+deb12u1

Package: whereabouts
Status: install ok installed
Architecture: amd64
Version: 0.1.0
Depends: libb1 (>= 0.9) | libc1, nowhere
"""


def run(*command, **environment) -> subprocess.CompletedProcess:
    known = os.environ | {"SOURCE_DATE_EPOCH": str(DATE), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=120,
        env=known | environment)


def output(*command, **environment) -> str:
    done = run(*command, **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*command) -> str:
    """The one line that says why a command failed."""
    done = run(*command)
    assert done.returncode == 1, done
    assert "Traceback" not in done.stderr, done.stderr
    return done.stderr.strip().splitlines()[-1]


def listed(deb: pathlib.Path) -> dict[str, tuple[str, str]]:
    """Mode and owner of each of a package's files."""
    lines = [line.split(None, 5) for line in output("dpkg-deb", "--contents", deb).splitlines()]
    return {line[5].split(" -> ")[0]: (line[0], line[1]) for line in lines}


def package_has_what_an_installation_needs(folder: pathlib.Path) -> None:
    make = [PACKAGING / "make-deb", shutil.which("env"), "0.1.0", folder]
    deb = pathlib.Path(output(*make).strip())
    first = deb.read_bytes()
    # A second package, made later and with another umask, has the same bytes.
    done = subprocess.run(["sh", "-c", 'umask 077; exec "$@"', "sh", *map(str, make)], check=True,
                          env=os.environ | {"SOURCE_DATE_EPOCH": str(DATE)}, capture_output=True)
    assert pathlib.Path(done.stdout.decode().strip()).read_bytes() == first
    files = listed(deb)
    folder_of_units = ROOT / "deploy" / "systemd"
    units = [str(path.relative_to(folder_of_units)) for path in folder_of_units.rglob("*")
             if path.is_file()]
    assert len(units) >= 5
    for name in units:
        assert files[f"./usr/lib/systemd/system/{name}"][0] == "-rw-r--r--", name
    # The units share one fixed user, whose backups an operator can reach.
    for path in folder_of_units.glob("*.service"):
        text = path.read_text()
        assert "\nUser=whereabouts\n" in text and "DynamicUser" not in text, path
    # Backups belong to site-editor, whichever unit it runs in.
    wants = {path.name for path in folder_of_units.glob("*.service")
             if "Wants=whereabouts-backup.timer" in path.read_text()}
    assert wants == {"whereabouts.service"}, wants
    assert "whereabouts@site-editor.service.d/backup.conf" in units
    assert files["./usr/sbin/whereabouts-admin"] == ("-rwxr-xr-x", "root/root")
    assert files["./usr/bin/whereabouts"] == ("-rwxr-xr-x", "root/root")
    assert files["./etc/whereabouts/environment"] == ("-rw-------", "root/root")
    assert "./usr/share/doc/whereabouts/copyright" in files
    fields = output("dpkg-deb", "--field", deb)
    assert "\nVersion: 0.1.0\n" in fields and "@" not in fields.replace("maintainers@", ""), fields
    # dpkg-shlibdeps found the library that every program needs.
    depends = output("dpkg-deb", "--field", deb, "Depends")
    assert "libc6 (>= " in depends and "poppler-utils" in depends, depends
    control = folder / "control"
    output("dpkg-deb", "--control", deb, control)
    assert (control / "conffiles").read_text() == "/etc/whereabouts/environment\n"
    # The units read the secret that the package makes, before the file that may name another one.
    secret = "EnvironmentFile=-/etc/whereabouts/secret.environment\nEnvironmentFile=/etc/whereabouts/env"
    assert secret in (ROOT / "deploy" / "systemd" / "whereabouts.service").read_text()
    assert "/etc/whereabouts/secret.environment" in (control / "postinst").read_text()
    for script in ("postinst", "prerm", "postrm"):
        output("sh", "-n", control / script)
    lines = (control / "md5sums").read_text().splitlines()
    sums = dict(reversed(line.split("  ")) for line in lines)
    assert "usr/bin/whereabouts" in sums and not any("DEBIAN" in name for name in sums), sums


def scanner_package_has_what_a_machine_needs(folder: pathlib.Path) -> None:
    make = [PACKAGING / "make-deb", "--scanner", shutil.which("env"), "0.1.0", folder]
    deb = pathlib.Path(output(*make).strip())
    assert deb.name.startswith("whereabouts-scanner_0.1.0_")
    first = deb.read_bytes()
    assert pathlib.Path(output(*make).strip()).read_bytes() == first
    files = listed(deb)
    assert files["./usr/bin/scanner"] == ("-rwxr-xr-x", "root/root")
    assert files["./usr/sbin/whereabouts-scanner-enrol"] == ("-rwxr-xr-x", "root/root")
    unit = "./usr/lib/systemd/system/whereabouts-scanner.service"
    assert files[unit][0] == "-rw-r--r--" and "./usr/share/doc/whereabouts-scanner/copyright" in files
    # Nothing of the services comes along.
    assert not any("etc/" in name or name.endswith("/whereabouts") for name in files), files
    fields = output("dpkg-deb", "--field", deb)
    assert "\nVersion: 0.1.0\n" in fields and "@" not in fields.replace("maintainers@", ""), fields
    depends = output("dpkg-deb", "--field", deb, "Depends")
    assert "libc6 (>= " in depends and "ca-certificates" in depends, depends
    control = folder / "scanner-control"
    output("dpkg-deb", "--control", deb, control)
    assert not (control / "conffiles").exists()
    for script in ("postinst", "prerm", "postrm"):
        output("sh", "-n", control / script)
    # The enrolment is made by the user that the unit runs as.
    enrol = (PACKAGING / "debian-scanner" / "whereabouts-scanner-enrol").read_text()
    text = (ROOT / "deploy" / "scanner" / "whereabouts-scanner.service").read_text()
    for line in ("DynamicUser=yes", "User=whereabouts-scanner", "StateDirectory=whereabouts-scanner"):
        assert f"\n{line}\n" in text and f"--property={line}" in enrol, line


def admin(folder: pathlib.Path, *words: str) -> subprocess.CompletedProcess:
    """Runs whereabouts-admin with its settings in the folder, and `env` in place of the program."""
    text = (PACKAGING / "debian" / "whereabouts-admin").read_text()
    text = text.replace("settings=/etc/whereabouts\n", f"settings={folder}\n")
    known = text
    text = text.replace("exec setpriv --reuid=whereabouts --regid=whereabouts --init-groups -- "
                        'whereabouts "$@"', 'exec "$@"').replace('[ "$(id -u)" = 0 ] ||', "true ||")
    assert text != known
    script = folder / "whereabouts-admin"
    script.write_text(text)
    return run("sh", script, *words, WHEREABOUTS_LISTEN="of the shell", PGPASSWORD="of the shell")


def operators_wrapper_has_the_settings_of_the_units(folder: pathlib.Path) -> None:
    (folder / "database" / "serve").mkdir(parents=True)
    url = "postgresql://a:$b`c`@h/whereabouts?host=/run/postgresql&sslmode=disable"
    (folder / "secret.environment").write_text("WHEREABOUTS_SERVICE_SECRET=of the package\n")
    (folder / "environment").write_text(
        f"# Settings\n\n  DATABASE_URL={url}\nWHEREABOUTS_RETENTION_POSITIONS=365d  \n"
        "WHEREABOUTS_SERVICE_SECRET=\"two words\"\nWHEREABOUTS_OPEN_SITES='a, b'\n"
        "; another comment\nWHEREABOUTS_OIDC_ISSUER=")
    done = admin(folder, "env")
    seen = dict(line.split("=", 1) for line in done.stdout.splitlines())
    assert seen["DATABASE_URL"] == url, (seen, done.stderr)
    assert seen["WHEREABOUTS_RETENTION_POSITIONS"] == "365d"
    assert seen["WHEREABOUTS_SERVICE_SECRET"] == "two words"
    assert seen["WHEREABOUTS_OPEN_SITES"] == "a, b" and seen["WHEREABOUTS_OIDC_ISSUER"] == ""
    assert seen["WHEREABOUTS_BACKUPS"] == "/var/lib/whereabouts-backups"
    assert "WHEREABOUTS_LISTEN" not in seen and "PGPASSWORD" not in seen
    # The role of the services comes last, unless the owner is asked for.
    (folder / "database" / "serve" / "environment").write_text("DATABASE_URL=of the role\n")
    assert "DATABASE_URL=of the role\n" in admin(folder, "env").stdout
    assert f"DATABASE_URL={url}\n" in admin(folder, "--owner", "env").stdout
    assert admin(folder).returncode == 64
    (folder / "environment").write_text("WHEREABOUTS_LISTEN=a\\\n")
    done = admin(folder, "env")
    assert done.returncode == 78 and "WHEREABOUTS_LISTEN" in done.stderr, done


def layer(folder: pathlib.Path) -> pathlib.Path:
    """The files of a small image."""
    path = folder / "files.tar"
    with tarfile.open(path, "w") as files:
        entry = tarfile.TarInfo("./var/lib/dpkg/status")
        entry.size = len(STATUS.encode())
        files.addfile(entry, io.BytesIO(STATUS.encode()))
    return path


def image_is_what_its_digests_say(folder: pathlib.Path) -> None:
    files, archive = layer(folder), folder / "image.tar.gz"
    dockerfile = ROOT / "deploy" / "Dockerfile"
    make = [PACKAGING / "image.py", files, dockerfile, "whereabouts:0.1.0", archive]
    output(*make, WHEREABOUTS_REVISION="abc")
    first = archive.read_bytes()
    output(*make, WHEREABOUTS_REVISION="abc")
    assert archive.read_bytes() == first
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(first))) as packed:
        entries = {entry.name: entry for entry in packed.getmembers()}
        contents = {name: packed.extractfile(entry).read()
                    for name, entry in entries.items() if entry.isfile()}
    assert {entry.mtime for entry in entries.values()} == {DATE}
    for name, content in contents.items():
        if name.startswith("blobs/sha256/"):
            assert name == "blobs/sha256/" + hashlib.sha256(content).hexdigest()
    # Docker's own list and the OCI index lead to the same settings and the same layer.
    [loaded] = json.loads(contents["manifest.json"])
    [entry] = json.loads(contents["index.json"])["manifests"]
    manifest = json.loads(contents["blobs/sha256/" + entry["digest"].partition(":")[2]])
    assert loaded["RepoTags"] == ["whereabouts:0.1.0"]
    assert loaded["Config"].endswith(manifest["config"]["digest"].partition(":")[2])
    assert loaded["Layers"][0].endswith(manifest["layers"][0]["digest"].partition(":")[2])
    assert contents[loaded["Layers"][0]] == files.read_bytes()
    image = json.loads(contents[loaded["Config"]])
    settings = image["config"]
    assert image["rootfs"]["diff_ids"] == [manifest["layers"][0]["digest"]]
    assert settings["User"] == "10001" and settings["Cmd"] == ["whereabouts", "serve"], settings
    assert settings["Healthcheck"]["Interval"] == 15_000_000_000, settings
    assert "WHEREABOUTS_LISTEN=0.0.0.0:8080" in settings["Env"], settings
    assert settings["Labels"]["org.opencontainers.image.revision"] == "abc"
    strange = folder / "Dockerfile"
    strange.write_text("FROM debian\nONBUILD RUN true\n")
    said = refused(PACKAGING / "image.py", files, strange, "whereabouts:0.1.0", archive)
    assert "ONBUILD" in said, said


def lock_line(content: bytes, name: str = "libb1") -> str:
    digest = hashlib.sha256(content).hexdigest()
    return f"{name} 1.0+deb12u1 amd64 {digest} debian/pool/b/{name}.deb\n"


def lock_names_exactly_the_installed_packages(folder: pathlib.Path) -> None:
    tool, lock, installed = PACKAGING / "lock.py", folder / "lock", folder / "installed"
    mirror = folder / "mirror" / "debian" / "pool" / "b" / "libb1.deb"
    mirror.parent.mkdir(parents=True)
    mirror.write_bytes(b"package")
    lock.write_text("snapshot 20261124T000000Z\n" + lock_line(b"package"))
    fetched = folder / "fetched"
    fetched.mkdir()
    output(tool, "fetch", lock, fetched, "--mirror", f"file://{folder}/mirror")
    assert (fetched / "libb1.deb").read_bytes() == b"package"
    installed.write_text("libb1 1.0+deb12u1 amd64\nwhereabouts 0.1.0 amd64\n")
    output(tool, "compare", lock, installed)
    installed.write_text("libb1 1.0+deb12u2 amd64\n")
    assert "--lock" in refused(tool, "compare", lock, installed)
    lock.write_text("snapshot 20261124T000000Z\n" + lock_line(b"p").replace("debian/", "/etc/"))
    assert "line 2" in refused(tool, "fetch", lock, fetched)
    # A lock that is made is one that can be read.
    available = folder / "available"
    available.write_text(
        "Package: libb1\nVersion: 1.0+deb12u2\nArchitecture: amd64\n"
        f"Filename: pool/updates/b/libb1.deb\nSHA256: {'0' * 64}\n\n")
    made = output(tool, "make", installed, available, "20261124T000000Z")
    place = "debian-security/pool/updates/b/libb1.deb"
    assert made.endswith(f"libb1 1.0+deb12u2 amd64 {'0' * 64} {place}\n"), made


def bill_names_all_software(folder: pathlib.Path) -> None:
    lock = folder / "bill.lock"
    lock.write_text("snapshot 20261124T000000Z\n" + lock_line(b"package"))
    made = output(PACKAGING / "bill.py", layer(folder), lock, "6.3.1", "libosmium2-dev=2.18.0-1")
    bill = json.loads(made)
    parts = {part["name"]: part for part in bill["components"]}
    assert {"libb1", "swift", "debian", "libosmium2-dev"} <= set(parts)
    assert parts["libb1"]["hashes"][0]["content"] == hashlib.sha256(b"package").hexdigest()
    assert parts["libb1"]["purl"] == (
        "pkg:deb/debian/libb1@1.0%2Bdeb12u1?arch=amd64&distro=debian-12&upstream=bee")
    references = {part["bom-ref"] for part in bill["components"]}
    own = bill["metadata"]["component"]["bom-ref"]
    [needs] = [each["dependsOn"] for each in bill["dependencies"] if each["ref"] == own]
    assert parts["libb1"]["purl"] in needs and set(needs) <= references, needs
    lock.write_text("snapshot 20261124T000000Z\n" + lock_line(b"package", "libc1"))
    assert "libb1" in refused(PACKAGING / "bill.py", layer(folder), lock, "6.3.1")


def release_refuses_at_once(folder: pathlib.Path) -> None:
    clone = folder / "clone"
    clone.mkdir()
    for name in ("deploy", "Shared/ServiceHost/Serving"):
        shutil.copytree(ROOT / name, clone / name)
    log = clone / "CHANGELOG.md"
    log.write_text("# Changelog\n\n## 9.9.9\n")

    def git(*words):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        output("git", "-C", clone, *identity, *words)

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "first")
    release = clone / "deploy" / "release"
    assert "CHANGELOG.md begins neither with '## 0.1.0'" in refused(release), refused(release)
    (clone / "new").write_text("")
    assert "commit or remove them: ?? new" in refused(release)
    (clone / "new").unlink()
    log.write_text("# Changelog\n\n## Unreleased\n")
    git("commit", "--quiet", "--all", "--message", "second")
    full = folder / "full"
    full.mkdir()
    (full / "file").write_text("")
    assert f"{full} is not empty" in refused(release, "--output", full)
    empty = folder / "empty"
    said = refused(release, "--output", empty, "--sign", folder / "no-key")
    assert "there is no key" in said and "minisign -G" in said, said
    assert run(release, "--outputs").returncode == 64


def signature_is_of_the_given_key(folder: pathlib.Path) -> None:
    if not shutil.which("minisign"):
        print("skipped: no signature was checked, because minisign is not installed")
        return
    key, other = folder / "secret.key", folder / "other.key"
    for each in (key, other):
        output("minisign", "-G", "-W", "-s", each, "-p", each.with_suffix(".pub"))
    files = folder / "release"
    files.mkdir()
    (files / "VERSION").write_text("version: 0.1.0\n")
    sums = files / "SHA256SUMS"
    sums.write_text(hashlib.sha256(b"version: 0.1.0\n").hexdigest() + "  VERSION\n")
    output(PACKAGING / "sign", key, files, "whereabouts 0.1.0 abc")
    # The key beside the files is that of the person who signed, and it has no secret part.
    assert (files / "release.pub").read_text().splitlines()[1] \
        == key.with_suffix(".pub").read_text().splitlines()[1]
    check = ["minisign", "-Vm", sums, "-p"]
    assert "whereabouts 0.1.0 abc" in output(*check, files / "release.pub")
    assert run(*check, other.with_suffix(".pub")).returncode != 0
    sums.write_text(sums.read_text().replace("VERSION", "OTHER"))
    assert run(*check, files / "release.pub").returncode != 0
    # The command that the page names finds a changed file.
    text = (ROOT / "docs" / "operation" / "install.md").read_text()
    assert "minisign -Vm SHA256SUMS -p release.pub && sha256sum --check" in text


def main() -> int:
    checks = [
        package_has_what_an_installation_needs, scanner_package_has_what_a_machine_needs,
        operators_wrapper_has_the_settings_of_the_units,
        image_is_what_its_digests_say,
        lock_names_exactly_the_installed_packages, bill_names_all_software, release_refuses_at_once,
        signature_is_of_the_given_key,
    ]
    for check in checks:
        with tempfile.TemporaryDirectory() as folder:
            check(pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
