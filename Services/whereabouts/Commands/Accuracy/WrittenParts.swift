import Archive
import Datasets
import Events
import Foundation
import Wire

/// The parts of a data set as folders that `jsonl` reads. So another version of the program can
/// locate the same scans by the same maps.
enum WrittenParts {
    /// Makes the folder. Parts of an earlier run would stand beside fewer new ones.
    ///
    /// - Throws: `CommandFault` where anything is in it, or `FileFault`.
    static func makeEmptyFolder(_ folder: String) throws {
        try makeFolder(folder)
        guard try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty else {
            throw CommandFault("--write needs an empty folder, or a new one: \(folder) has files")
        }
    }

    /// Writes the first part into the folder `1`, and so on, with its name in `part.txt`.
    /// Coordinates become metres of the site's frame.
    ///
    /// - Throws: `FileFault` or `ArchiveError`.
    static func write(_ dataset: Dataset, to folder: String) throws {
        for (index, part) in dataset.parts.enumerated() {
            let path = "\(folder)/\(index + 1)"
            try makeFolder(path)
            try writeFile("\(path)/part.txt", Array("\(part.name)\n".utf8))
            try writeFile("\(path)/site.json", dataset.document.json)
            let surveys = try GzipWriter(path: "\(path)/surveys.jsonl.gz")
            for survey in part.training {
                try surveys.writeLine(ScanSubmission(survey.scan, place: survey.place).json)
            }
            try surveys.close()
            let scans = try GzipWriter(path: "\(path)/scans.jsonl.gz")
            for test in part.tests {
                try scans.writeLine(ScanSubmission(test.scan, truth: test.truth).json)
            }
            try scans.close()
        }
    }
}
