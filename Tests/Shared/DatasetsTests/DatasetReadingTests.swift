import Accuracy
import Archive
import Datasets
import Events
import Positioning
import Site
import Testing
import Wire

@Suite struct DatasetReadingTests {
    private let folder = TemporaryFolder()

    private func read(_ kind: DatasetKind, _ options: DatasetOptions = DatasetOptions()) throws
        -> Dataset
    {
        try kind.read(ArchiveReader(path: folder.path), options: options)
    }

    private func fault(_ kind: DatasetKind) -> DatasetFault? {
        do {
            _ = try read(kind)
            return nil
        } catch { return error as? DatasetFault }
    }

    private let surimiHeader = "0,1,2,LONGITUDE,LATITUDE,ALTITUDE,FLOOR,BUILDINGID\n"

    @Test("Train and Test become surveys and scans with their true places")
    func surimi() throws {
        folder.write("Train.csv", surimiHeader + "100.0,-60.5,-61.0,1.5,2.5,0.0,1.0,0.0\n")
        folder.write("Test.csv", surimiHeader + "-40,100,100,3,4,0,-1,2\r\n")
        let dataset = try read(.surimi)
        let survey = try #require(dataset.surveys.first)
        #expect(survey.scan.wifi.map(\.rssi) == [-60, -61])
        #expect(survey.scan.wifi.map(\.bssid.value) == [0x0200_0000_0001, 0x0200_0000_0002])
        #expect(survey.place == .metres(floor: FloorID("b0-f1"), x: 1.5, y: 2.5))
        let test = try #require(dataset.tests.first)
        #expect(test.truth.floor == FloorID("b2-f-1"))
        #expect(test.truth.building == BuildingID("b2"))
        #expect(dataset.document.floors.map(\.ordinal) == [1, -1])
    }

    @Test("A missing file, column or value names the file, the line and the column")
    func faults() {
        #expect(fault(.surimi)?.detail == "holds no Train.csv")
        folder.write("Train.csv", "0,1,LONGITUDE,ALTITUDE,FLOOR,BUILDINGID\n")
        #expect(
            fault(.surimi)
                == DatasetFault(
                    file: "Train.csv", line: 1, column: "LATITUDE", detail: "no such column"))
        folder.write("Train.csv", surimiHeader + "100,100,-50,1,1,0,1,0\n100,100,x,1,1,0,1,0\n")
        #expect(fault(.surimi)?.description == "Train.csv, line 3, column 3: x is not a number")
        folder.write("Train.csv", surimiHeader + "100,100,7,1,1,0,1,0\n")
        #expect(fault(.surimi)?.detail == "7.0 is not an RSSI")
        folder.write("Train.csv", surimiHeader + "100,100,-50,1,1,0,1\n")
        #expect(fault(.surimi)?.column == "BUILDINGID")
        folder.write("Train.csv", surimiHeader)
        #expect(fault(.surimi)?.detail == "has no rows")
        folder.write("Train.csv", "")
        #expect(fault(.surimi)?.detail == "is empty")
        #expect(fault(.ujiindoorloc)?.detail == "holds no trainingData.csv")
        #expect(fault(.ujiLibrary)?.detail == "holds no month with trn01rss.csv")
        #expect(fault(.microsoftIndoor)?.detail == "holds no scans.jsonl with scans")
        #expect(fault(.jsonLines)?.detail == "holds no site.json")
    }

    private func library(_ month: String, _ kind: String, _ rows: [(String, String)]) {
        let prefix = "db/\(month)/\(kind)"
        folder.write("\(prefix)rss.csv", rows.map { $0.0 + "\n" }.joined())
        folder.write("\(prefix)crd.csv", rows.map { $0.1 + "\n" }.joined())
        folder.write("\(prefix)tms.csv", rows.map { _ in "20160602155217232\n" }.joined())
    }

    @Test("The library is read month by month, or with one map for later months")
    func library() throws {
        for month in ["01", "02"] {
            // There is no floor 0.
            library(
                month, "trn01", [("-50,100", "1,2,3"), ("-55,-65", "1,2,0"), ("100,-60", "3,4,5")])
            library(month, "tst01", [("-51,100", "1,2,3")])
            library(month, "tst02", [("-52,100", "1,2,3")])
        }
        let monthly = try read(.ujiLibrary)
        #expect(monthly.parts.map(\.training.count) == [2, 2])
        #expect(monthly.parts.map(\.tests.count) == [2, 2])
        // 2016-06-02 15:52:17.232
        #expect(monthly.surveys[0].scan.at.milliseconds == 1_464_882_737_232)
        #expect(Set(monthly.surveys.map(\.scan.id) + monthly.tests.map(\.scan.id)).count == 8)
        let later = try read(.ujiLibrary, DatasetOptions(trainMonths: [1], testMonths: [2]))
        #expect(later.parts.map(\.training.count) == [2])
        #expect(later.parts.map(\.tests.count) == [2])
        #expect(throws: DatasetFault.self) {
            try read(.ujiLibrary, DatasetOptions(trainMonths: [7]))
        }
    }

    @Test("Paths of the mall are surveyed or located as a whole, by the seed")
    func microsoft() throws {
        let lines = (0..<40).map { index in
            """
            {"k":"scan","site":"s","floor":"F1","path":"p\(index / 4)","t":\(index),"x":1,\
            "y":\(index),\
            "wifi":{"06:74:9c:2e:9e:f3":[-42,5825,563]},\
            "ble":{"9195B3AD-A9D0-4500-85FF-9FB0F65A5201:1:2":-90}}
            """
        }
        folder.write("scans.jsonl", "{\"k\":\"path\"}\n" + lines.joined(separator: "\n"))
        let dataset = try read(.microsoftIndoor)
        #expect(dataset.surveys.count == 32 && dataset.tests.count == 8)
        let tested = Set(dataset.tests.compactMap(\.path))
        #expect(tested.count == 2)
        #expect(tested.isDisjoint(with: dataset.surveys.map(\.scan.device.text)))
        #expect(dataset.tests[0].scan.wifi[0].ageMilliseconds == 563)
        #expect(dataset.tests[0].scan.ble[0].minor == 2)
        #expect(try read(.microsoftIndoor).tests == dataset.tests)
        let splits = try (1...5).map { seed in
            Set(try read(.microsoftIndoor, DatasetOptions(seed: seed)).tests.compactMap(\.path))
        }
        #expect(Set(splits).count > 1)
        folder.write("scans.jsonl", "{\"k\":\"scan\",\"floor\":\"F1\",\"path\":\"p\"}\n")
        #expect(
            fault(.microsoftIndoor)?.description.hasPrefix("scans.jsonl, line 1, column t") == true)
    }

    @Test("The mall's training can lack the tested paths of all seeds from 1 to 5")
    func spared() throws {
        let lines = (0..<60).map { index in
            """
            {"k":"scan","site":"s","floor":"F1","path":"p\(index)","t":\(index),"x":1,"y":\(index),\
            "wifi":{"06:74:9c:2e:9e:f3":[-42,5825,563]},"ble":{}}
            """
        }
        folder.write("scans.jsonl", lines.joined(separator: "\n"))
        let plain = try read(.microsoftIndoor)
        let spared = try read(.microsoftIndoor, DatasetOptions(sparesTests: true))
        #expect(spared.tests == plain.tests && plain.surveys.count == 48)
        var left = Set(plain.surveys.map(\.scan.device.text))
        for seed in UInt64(1)...5 {
            let tests = try read(.microsoftIndoor, DatasetOptions(seed: seed)).tests
            left.subtract(tests.compactMap(\.path))
        }
        #expect(!left.isEmpty && Set(spared.surveys.map(\.scan.device.text)) == left)
    }

    @Test("Recordings of Whereabouts are read with their places and true places")
    func jsonLines() throws {
        folder.write(
            "site.json",
            """
            {"name": "S", "origin": {"latitude": 51, "longitude": 0}, "bearingDegrees": 0,
             "buildings": [{"id": "b", "name": "B", "timeZone": "Europe/London"}],
             "floors": [{"id": "f", "building": "b", "ordinal": 0, "level": "G"}],
             "rooms": [], "locations": []}
            """)
        let scan =
            "\"device\": \"d\", \"site\": \"s\", \"at\": \"2026-11-21T08:00:00.000Z\","
            + "\"wifi\": [{\"bssid\": \"00:62:ec:fd:ec:50\", \"rssi\": -62}]"
        folder.write(
            "surveys.jsonl", "{\(scan), \"place\": {\"floor\": \"f\", \"x\": 1, \"y\": 2}}\n")
        folder.write(
            "scans.jsonl",
            "{\(scan), \"truth\": {\"floor\": \"f\", \"x\": 1, \"y\": 2}}\n")
        let dataset = try read(.jsonLines)
        #expect(dataset.surveys.count == 1 && dataset.tests.count == 1)
        #expect(dataset.site == SiteID("s"))
        let result = try AccuracyRun(dataset, seed: 1).run(
            try #require(PositionerProbe.quick))
        #expect(result.summary.mean == 0)
        let truth = #""truth": {"floor": "f", "x": 1, "y": 2}"#
        folder.write("scans.jsonl", "{\(scan), \(truth.replacing("\"f\"", with: "\"outdoors\""))}")
        let outside = try read(.jsonLines)
        #expect(outside.tests.map(\.truth.floor) == [.outdoors])
        let judged = try AccuracyRun(outside, seed: 1).run(try #require(PositionerProbe.quick))
        #expect(judged.summary.floorHit == 0)
        let id = #""id": "dfb0008e-96ca-4371-97ff-76e1879e6995""#
        for (lines, wrong) in [
            ("{\(scan), \(truth)}\n{\(scan)}", "line 2, column truth: is missing"),
            ("{\(scan), \"T\(truth.dropFirst(2))}", "line 1, column truth: is missing"),
            (
                "{\(scan), \(truth.replacing("\"f\"", with: "\"cellar\""))}",
                "line 1, column truth.floor: the site has no floor cellar"
            ),
            (
                "{\(scan), \(truth), \(id)}\n\n{\(scan), \(truth), \(id)}",
                "line 3, column id: is that of line 1, too"
            ),
        ] {
            folder.write("scans.jsonl", lines)
            let told = try #require(fault(.jsonLines)).description
            #expect(told.hasPrefix("scans.jsonl, \(wrong)"), "\(told)")
        }
        let untimed = scan.replacing("\"at\"", with: "\"at2\"")
        folder.write("scans.jsonl", "{\(untimed), \(truth)}\n{\(untimed), \(truth)}\n")
        #expect(try read(.jsonLines).tests.map(\.scan.at.microseconds) == [0, 0])
        let missing = #expect(throws: DatasetFault.self) {
            try read(.jsonLines, DatasetOptions(needsTimes: true))
        }
        #expect(missing?.line == 1 && missing?.column == "at")
        folder.write("surveys.jsonl", "{\(scan)}\n")
        #expect(fault(.jsonLines)?.description == "surveys.jsonl, line 1, column place: is missing")
        folder.write("surveys.jsonl", "{\n")
        #expect(fault(.jsonLines)?.line == 1)
    }
}
