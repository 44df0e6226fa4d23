import Foundation
import SampleSites
import Wire

/// Writes the two made sites on which the visitor's app is measured, as documents for
/// `PUT /v1/sites/{site}`. It is no benchmark.
enum CampusFiles {
    static func write(_ options: BenchmarkOptions) throws {
        guard let folder = options.path else {
            throw BenchmarkFault("campus-files needs a folder")
        }
        for (name, site) in [("campus", SampleCampus.large), ("college", SampleCampus.small)] {
            let file = URL(fileURLWithPath: folder).appending(path: "\(name).json")
            try Data(site.document.json).write(to: file)
            note(file.path)
        }
    }
}
