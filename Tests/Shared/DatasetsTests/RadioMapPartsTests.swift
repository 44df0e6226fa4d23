import Archive
import Datasets
import Events
import Positioning
import PublicData
import Simulation
import Site
import Testing
import Wire

@Suite struct RadioMapPartsTests {
    /// The parts by building, as fingerprint-builder makes them, each written and read back.
    private func parts(
        _ surveys: [SurveyRecorded], _ site: SiteIndex
    ) throws -> [RadioMapPart] {
        let byBuilding = Dictionary(grouping: surveys) { site.building(of: $0.place.ground) }
        return try byBuilding.values.map { surveys in
            let part = RadioMapBuilder.build(surveys, site: site).part
            return try RadioMapPartArtifact.decode(RadioMapPartArtifact.encode(part))
        }
    }

    /// Equal for a survey and its copies.
    private struct Content: Hashable {
        let place: SurveyPlace
        let scanner: ScannerID
        let readings: [RadioReading]
        let at: Timestamp?

        init(_ survey: SurveyRecorded) {
            place = survey.place
            scanner = survey.scan.scanner
            readings = RadioScan(survey.scan).readings
            at = readings.count < 3 ? survey.scan.at : nil
        }
    }

    @Test("UJIIndoorLoc's three buildings are joined to the map of all its surveys")
    func threeBuildings() throws {
        guard let path = SharedData.path("ujiindoorloc") else { return }
        let dataset = try DatasetKind.ujiindoorloc.read(ArchiveReader(path: path))
        let site = try SiteIndex(dataset.document)
        let surveys = dataset.parts[0].training
        let parts = try parts(surveys, site)
        #expect(parts.count == 3)
        let joined = RadioMap(joining: parts)
        #expect(joined == RadioMapBuilder.build(surveys, site: site).map)
        // Hundreds of its rows are there twice.
        let originals = Set(surveys.map(Content.init)).count
        #expect(joined.fingerprints.count == originals)
        #expect(surveys.count - originals > 637)
    }

    @Test("The simulated building's map is its one part")
    func oneBuilding() throws {
        let building = SimulatedBuilding.make(seed: 1)
        let surveys = Array(
            SimulatedSurvey(
                of: building, seed: 2, start: Timestamp(milliseconds: 1_780_000_000_000)))
        let site = try SiteIndex(building.document)
        let parts = try parts(surveys, site)
        #expect(parts.count == 1)
        #expect(
            RadioMap(joining: parts) == RadioMapBuilder.build(surveys, site: site).map)
    }
}
