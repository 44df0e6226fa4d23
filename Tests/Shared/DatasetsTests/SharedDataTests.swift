import Accuracy
import Archive
import Datasets
import Events
import Foundation
import Positioning
import PublicData
import Site
import Testing

@Suite struct SharedDataTests {
    @Test(
        "Each public data set is read as it was published",
        arguments: [
            ("tut5", DatasetKind.surimi, 446, 982), ("ujib1", .surimi, 732, 900),
            ("uji-library", .ujiLibrary, 8_634, 3_120),
        ])
    func counts(name: String, kind: DatasetKind, surveys: Int, tests: Int) throws {
        guard let path = SharedData.path(name) else { return }
        // Two months of the library are enough here; the other sets have no months. Six of its
        // 8,640 surveys are on a floor that it has not.
        let options = DatasetOptions(trainMonths: [1], testMonths: [2])
        let dataset = try kind.read(ArchiveReader(path: path), options: options)
        #expect(dataset.surveys.count == surveys)
        #expect(dataset.tests.count == tests)
    }

    @Test("Nearest neighbours on BLE beacons reach their published accuracy")
    func beacons() throws {
        guard let path = SharedData.path("ujib1") else { return }
        let dataset = try DatasetKind.surimi.read(ArchiveReader(path: path))
        let result = try AccuracyRun(dataset, seed: 1).run(try #require(PositionerProbe.quick))
        #expect(try #require(result.summary.mean) < 1.9)
        #expect(result.predictions.count == 900)
    }

    @Test("UJIIndoorLoc is located with the required accuracy")
    func indoor() throws {
        guard let path = SharedData.path("ujiindoorloc") else { return }
        let dataset = try DatasetKind.ujiindoorloc.read(ArchiveReader(path: path))
        #expect(dataset.surveys.count == 19_937)
        #expect(dataset.tests.count == 1_111)
        #expect(dataset.document.locations.count == 933)
        let result = try AccuracyRun(dataset, seed: 1).run(try #require(PositionerProbe.quick))
        #expect(try #require(result.summary.mean) < 7)
        #expect(try #require(result.summary.floorHit) > 0.93)
        #expect(result.summary.lost == 0)
    }
}
