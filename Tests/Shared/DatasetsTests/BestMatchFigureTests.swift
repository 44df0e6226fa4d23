import Accuracy
import Archive
import Datasets
import Events
import Positioning
import PublicData
import Testing
import Wire

@Suite struct BestMatchFigureTests {
    /// Published figures of the best match: mean and median error in reported metres, and the share
    /// of correct floor numbers in any building.
    private static let published: [(BestMatch.Reading, Double, Double, Double)] = [
        (.allTied, 15.02, 9.06, 0.762), (.firstRow, 31.95, 20.67, 0.425),
    ]

    @Test("With surveys in the file's order the best match has its published figures")
    func figures() throws {
        guard let path = SharedData.path("ujiindoorloc") else { return }
        var dataset = try DatasetKind.ujiindoorloc.read(ArchiveReader(path: path))
        // Ids usually follow time, and the file does not. These follow the file, because the result
        // depends on which row is first.
        for index in dataset.parts[0].training.indices {
            dataset.parts[0].training[index].scan.id = EventID(high: 0, low: UInt64(index))
        }
        for (reading, mean, median, floor) in Self.published {
            let result = try AccuracyRun(dataset, seed: 1).run(BestMatch(reading))
            #expect(abs(try #require(result.summary.mean) - mean) < 0.006)
            #expect(abs(try #require(result.summary.median) - median) < 0.006)
            let right = result.predictions.count { prediction in
                prediction.position.floor?.text.last == prediction.test.truth.floor.text.last
            }
            #expect(abs(Double(right) / Double(result.predictions.count) - floor) < 0.0006)
        }
    }
}
