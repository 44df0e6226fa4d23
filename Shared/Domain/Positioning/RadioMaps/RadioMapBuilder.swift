public import Events
import Geometry
public import Site

/// Makes a radio map from surveys. Their order does not matter. Those with one id count once, and
/// so do copies (`RadioMap.originals`): the one with the smallest id stays.
public enum RadioMapBuilder {
    /// The version in `RadioMapAnnounced`. Change it when equal surveys would give another map.
    public static let version = "4"
    /// A longer gap between two surveys of one scanner starts another walk.
    public static let walkGapSeconds: Int64 = 60

    /// A survey that the map can't use, with the reason.
    public struct Rejection: Hashable, Sendable {
        public var survey: EventID
        public var fault: PlaceFault
    }

    public struct Result: Hashable, Sendable {
        /// The map as a part, which can be joined with those of other buildings.
        public var part: RadioMapPart
        public var map: RadioMap { part.map }
        /// Ordered by survey id.
        public var rejections: [Rejection]
    }

    /// Builds the map: one fingerprint for each survey at a place that is in the site, and no
    /// copies.
    public static func build(_ surveys: some Sequence<SurveyRecorded>, site: SiteIndex) -> Result {
        var usable: [Usable] = []
        var rejections: [Rejection] = []
        for survey in unique(surveys) {
            do throws(PlaceFault) {
                let place = try site.resolve(survey.place)
                usable.append(Usable(survey: survey, place: place))
            } catch {
                rejections.append(Rejection(survey: survey.scan.id, fault: error))
            }
        }
        return Result(part: layOut(usable, site), rejections: rejections)
    }

    private struct Usable {
        let id: EventID
        let scanner: ScannerID
        let scan: RadioScan
        let place: ResolvedPlace
        let name: String

        init(survey: SurveyRecorded, place: ResolvedPlace) {
            id = survey.scan.id
            scanner = survey.scan.scanner
            scan = RadioScan(survey.scan)
            self.place = place
            name =
                place.location?.text
                ?? "\(decimetres(place.point.x)),\(decimetres(place.point.y))"
        }
    }

    /// The surveys by id, each once. The log should hold no two different surveys with one id. If
    /// it does, the one made first stays, so that the order still does not matter.
    private static func unique(_ surveys: some Sequence<SurveyRecorded>) -> [SurveyRecorded] {
        var byID: [EventID: SurveyRecorded] = [:]
        for survey in surveys {
            guard let other = byID[survey.scan.id] else {
                byID[survey.scan.id] = survey
                continue
            }
            guard other != survey else { continue }
            let hash = ContentHash.of(survey)
            if (survey.scan.at, hash) < (other.scan.at, ContentHash.of(other)) {
                byID[survey.scan.id] = survey
            }
        }
        return byID.values.sorted { $0.scan.id < $1.scan.id }
    }

    private static func layOut(_ surveys: [Usable], _ site: SiteIndex) -> RadioMapPart {
        var map = RadioMap.empty
        map.transmitters = Set(surveys.flatMap { $0.scan.readings.map(\.transmitter) }).sorted()
        map.floors = Set(surveys.map { site.floor($0.place.floor).id }).sorted()
        map.rooms = Set(surveys.compactMap { $0.place.room.map { site.room($0).id } }).sorted()
        let transmitters = numbered(map.transmitters)
        let floors = numbered(map.floors)
        let rooms = numbered(map.rooms)
        func place(of survey: Usable) -> RadioMap.Place {
            RadioMap.Place(name: survey.name, floor: floors[site.floor(survey.place.floor).id]!)
        }
        map.places = Set(surveys.map(place)).sorted { ($0.floor, $0.name) < ($1.floor, $1.name) }
        let places = numbered(map.places)
        let names = Set(surveys.map(\.scanner)).sorted()
        let scanners = numbered(names)
        map.fingerprints.reserveCapacity(surveys.count)
        for survey in surveys {
            let place = place(of: survey)
            map.fingerprints.append(
                RadioMap.Fingerprint(
                    survey: survey.id, point: survey.place.point, floor: place.floor,
                    room: survey.place.room.map { rooms[site.room($0).id]! } ?? -1,
                    place: places[place]!, walk: 0, scanner: scanners[survey.scanner]!))
            for reading in survey.scan.readings {
                map.readingTransmitter.append(transmitters[reading.transmitter]!)
                map.readingRSSI.append(reading.rssi)
            }
            map.readingStart.append(Int32(map.readingTransmitter.count))
        }
        return numberingWalks(withoutCopies(map, surveys.map(\.scan.at)), scanners: names)
    }

    private static func withoutCopies(
        _ map: RadioMap, _ times: [Timestamp]
    ) -> (map: RadioMap, times: [Timestamp]) {
        let originals = map.originals(times: times)
        guard originals.count < times.count else { return (map, times) }
        return (map.part(originals), originals.map { times[Int($0)] })
    }

    private static func numberingWalks(
        _ surveys: (map: RadioMap, times: [Timestamp]), scanners: [ScannerID]
    ) -> RadioMapPart {
        var map = surveys.map
        let walks = walkNumbers(
            scanners: map.fingerprints.map(\.scanner), times: surveys.times)
        for index in map.fingerprints.indices { map.fingerprints[index].walk = walks[index] }
        return RadioMapPart(map: map, scanners: scanners, times: surveys.times)
    }

    /// The walk of each survey, numbered by scanner and time. Surveys are in the order of their
    /// ids.
    static func walkNumbers(scanners: [Int32], times: [Timestamp]) -> [Int32] {
        let order = scanners.indices.sorted { left, right in
            (scanners[left], times[left], left) < (scanners[right], times[right], right)
        }
        var walks = [Int32](repeating: 0, count: scanners.count)
        var walk: Int32 = 0
        for (position, index) in order.enumerated() where position > 0 {
            let previous = order[position - 1]
            let gap = times[index] - times[previous]
            if scanners[previous] != scanners[index] || gap > walkGapSeconds * 1_000_000 {
                walk += 1
            }
            walks[index] = walk
        }
        return walks
    }

    private static func numbered<Value: Hashable>(_ values: [Value]) -> [Value: Int32] {
        Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0.element, Int32($0.offset)) })
    }
}

/// Metres as text with one decimal. It avoids formatters, so that the text is the same on every
/// machine.
private func decimetres(_ metres: Double) -> String {
    let tenths = Int((metres * 10).rounded())
    let size = tenths.magnitude
    return "\(tenths < 0 ? "-" : "")\(size / 10).\(size % 10)"
}
