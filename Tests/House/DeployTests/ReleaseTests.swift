import Foundation
import ServiceHost
import Testing

@Suite("Releases") struct ReleaseTests {
    @Test("Package, image, lock and bill of materials are made alike from small files")
    func parts() throws {
        let script = DeployTests.root.appending(path: "Tests/House/release_test.py").path
        let (status, output) = try DeployTests.run(["python3", script], environment: [:])
        #expect(status == 0, "\(output)")
    }

    @Test(
        "A compose file starts the image of the program's version, and builds none",
        arguments: DeployTests.composeFiles)
    func image(file: String) throws {
        let text = try DeployTests.text(file)
        let images = text.matches(of: /image: (\$\{WHEREABOUTS_IMAGE.*)/).map { String($0.1) }
        #expect(images.count >= 2)
        #expect(Set(images) == ["${WHEREABOUTS_IMAGE:-whereabouts:\(whereaboutsVersion)}"])
        #expect(!text.contains("build:"))
    }

    @Test("Pages name the program's version where they name files of a release or its image")
    func pages() throws {
        for page in ["README.md", "docs/operation/install.md"] {
            let text = try DeployTests.text(page)
            let named = text.matches(of: /whereabouts[:_-](\d+\.\d+\.\d+)/).map { String($0.1) }
            #expect(!named.isEmpty)
            // The example of an upgrade names the version after it.
            let allowed = page == "README.md" ? [] : [Self.next]
            let others = Set(named).subtracting([whereaboutsVersion])
            #expect(others.isSubset(of: allowed), "\(page): \(others)")
        }
    }

    /// The minor version after the program's.
    private static let next: String = {
        let numbers = whereaboutsVersion.split(separator: ".").compactMap { Int($0) }
        return "\(numbers[0]).\(numbers[1] + 1).0"
    }()

    @Test("The change log begins with the program's version, or with changes after an older one")
    func changeLog() throws {
        #expect(Self.agrees("## 0.1.0 (2026-12-01)\n", version: "0.1.0"))
        #expect(Self.agrees("## Unreleased\n\n## 0.1.0\n", version: "0.2.0"))
        #expect(!Self.agrees("## Unreleased\n\n## 0.1.0\n", version: "0.1.0"))
        #expect(!Self.agrees("## 0.1.0\n", version: "0.2.0"))
        #expect(Self.agrees(try DeployTests.text("CHANGELOG.md"), version: whereaboutsVersion))
    }

    private static func agrees(_ log: String, version: String) -> Bool {
        let headings = log.matches(of: /(?m)^## (\S+)/).map { String($0.1) }
        let newest = headings.first { $0 != "Unreleased" }
        return headings.first == "Unreleased" ? newest != version : newest == version
    }

    @Test("The image of a release has the Dockerfile's folders, links, user and packages")
    func sameImage() throws {
        let dockerfile = try DeployTests.text("deploy/Dockerfile")
        let hook = try DeployTests.text("deploy/packaging/files-hook")
        for text in [dockerfile, hook] {
            #expect(text.contains("10001"))
            #expect(text.contains("install --directory --owner=10001 --mode=0700 database"))
        }
        #expect(Self.folders(dockerfile) == Self.folders(hook))
        #expect(Self.folders(hook).count == 8)
        #expect(Self.links(dockerfile) == Self.links(hook))
        // Both files list by hand the packages that no library's name shows.
        let control = try DeployTests.text("deploy/packaging/debian/control")
        let depends = try #require(control.firstMatch(of: /@LIBRARIES@, (.+)/)).1
        for package in depends.split(separator: ", ") where package != "passwd" {
            #expect(dockerfile.contains(" \(package) "), "\(package)")
        }
    }

    private static func folders(_ text: String) -> Set<String> {
        Set(text.matches(of: /\bdatabase(?:\/[a-z-]+)?(?=[ \n)])/).map { String($0.0) })
    }

    private static func links(_ text: String) -> Substring? {
        text.firstMatch(of: /for name in (scan-ingest[a-z -]+); do/)?.1
    }

    @Test("Each package of the image is named once in the lock, with its SHA-256 and its place")
    func lock() throws {
        let lines = try DeployTests.text("deploy/packaging/packages-amd64.lock")
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.first?.wholeMatch(of: /snapshot \d{8}T\d{6}Z/) != nil)
        let packages = lines.dropFirst()
        #expect(packages.count > 100)
        for line in packages {
            let form = /\S+ \S+ (amd64|all) [0-9a-f]{64} debian(-security)?\/pool\/\S+\.deb/
            #expect(line.wholeMatch(of: form) != nil, "\(line)")
        }
        #expect(Set(packages.map { $0.prefix { $0 != " " } }).count == packages.count)
    }
}
