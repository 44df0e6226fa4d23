import Archive
import Datasets
import Events
import Foundation
import Geometry
import Positioning
import PublicData
import Site
import Wire

/// The training part of UJIIndoorLoc as a radio map, and its validation part as queries.
struct LocateSet {
    let map: RadioMap
    let site: SiteIndex
    let scans: [RadioScan]
    let groundPerReportedMetre: Double
    private let truths: [ScanTruth]

    /// - Parameter path: the data set; nil for the one in the folder of optional data.
    /// - Returns: nil, after a note, if the data set is missing.
    init?(path: String?) throws {
        guard let path = path ?? SharedData.path("ujiindoorloc") else {
            note("locate needs UJIIndoorLoc: benchmark locate PATH, a folder or its zip")
            return nil
        }
        let dataset = try DatasetKind.ujiindoorloc.read(ArchiveReader(path: path))
        site = try SiteIndex(dataset.document)
        map = RadioMapBuilder.build(dataset.parts[0].training, site: site).map
        scans = dataset.tests.map { RadioScan($0.scan) }
        truths = dataset.tests.map(\.truth)
        groundPerReportedMetre = dataset.groundPerReportedMetre
    }

    static func temporaryDirectory() throws -> URL {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "whereabouts-locate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    /// The mean error in metres as the data set reports them, and the share of right floors.
    func judge(_ estimates: [Estimate]) -> (meanMetres: Double, floorHit: Double?) {
        var (sum, located, right) = (0.0, 0, 0)
        for (estimate, truth) in zip(estimates, truths) {
            guard let place = estimate.place else { continue }
            sum += place.point.distance(to: Point(x: truth.x, y: truth.y))
            located += 1
            if place.floor == truth.floor { right += 1 }
        }
        return (
            sum / Double(max(1, located)) / groundPerReportedMetre,
            Double(right) / Double(max(1, estimates.count))
        )
    }

    /// Writes the fingerprints and queries as dense tables, the form that the peers work on.
    func write(to directory: URL) throws {
        let shape = "\(map.fingerprints.count) \(map.transmitters.count) \(scans.count)\n"
        try Data(shape.utf8).write(to: directory.appending(path: "shape.txt"))
        let numbers = Dictionary(
            uniqueKeysWithValues: map.transmitters.enumerated().map { ($0.element, $0.offset) })
        let notHeard = Int8.max
        var rssi: [Int8] = []
        var places: [Double] = []
        for (index, fingerprint) in map.fingerprints.enumerated() {
            var row = [Int8](repeating: notHeard, count: map.transmitters.count)
            for reading in map.readings(of: index) {
                row[Int(map.readingTransmitter[reading])] = map.readingRSSI[reading]
            }
            rssi += row
            places += [fingerprint.point.x, fingerprint.point.y, Double(fingerprint.floor)]
        }
        try write(rssi, places, name: "map", to: directory)
        rssi.removeAll()
        places.removeAll()
        for (scan, truth) in zip(scans, truths) {
            var row = [Int8](repeating: notHeard, count: map.transmitters.count)
            for reading in scan.readings {
                if let number = numbers[reading.transmitter] { row[number] = reading.rssi }
            }
            rssi += row
            let floor = map.floors.firstIndex(of: truth.floor) ?? -1
            places += [truth.x, truth.y, Double(floor)]
        }
        try write(rssi, places, name: "queries", to: directory)
    }

    private func write(
        _ rssi: [Int8], _ places: [Double], name: String, to directory: URL
    ) throws {
        try rssi.withUnsafeBytes {
            try Data($0).write(to: directory.appending(path: "\(name).rssi"))
        }
        try places.withUnsafeBytes {
            try Data($0).write(to: directory.appending(path: "\(name).places"))
        }
    }
}
