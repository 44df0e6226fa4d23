public import Events

/// The surveys of one building, laid out like a radio map. Parts of a site are joined to its radio
/// map, which is the same as if it had been built from all surveys at once.
public struct RadioMapPart: Hashable, Sendable {
    /// Its numbers of walks and scanners count within this part.
    public var map: RadioMap
    /// Ascending, without duplicates. The numbers of scanners in `map` are indices into it.
    public var scanners: [ScannerID]
    /// For each fingerprint the time of its scan, which tells walks apart.
    public var times: [Timestamp]

    public static let empty = RadioMapPart(map: .empty, scanners: [], times: [])

    /// Makes a part of these columns without checks; `fault` checks whether they fit together.
    public init(map: RadioMap, scanners: [ScannerID], times: [Timestamp]) {
        self.map = map
        self.scanners = scanners
        self.times = times
    }

    /// The first inconsistency, as text; nil for a sound part.
    public var fault: String? {
        if let fault = map.fault { return fault }
        guard zip(scanners, scanners.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return "scanners are not ascending"
        }
        guard times.count == map.fingerprints.count else {
            return "times and fingerprints differ in number"
        }
        guard map.fingerprints.allSatisfy({ Int($0.scanner) < scanners.count }) else {
            return "a fingerprint's scanner is not in the part"
        }
        let ids = map.fingerprints.lazy.map(\.survey)
        guard zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return "surveys are not ascending"
        }
        return nil
    }
}

extension RadioMap {
    /// The map of all surveys in these parts. If two parts have the same survey, the first counts.
    ///
    /// Copies of a survey are all in one part, that of their place's building, which left them out.
    /// They are not searched here: parts of earlier releases have some, and give the map of then.
    public init(joining parts: [RadioMapPart]) {
        let parts = parts.filter { !$0.map.fingerprints.isEmpty }
        guard parts.count != 1 else {
            self = parts[0].map
            return
        }
        self = .empty
        guard !parts.isEmpty else { return }
        transmitters = union(parts.map(\.map.transmitters))
        floors = union(parts.map(\.map.floors))
        rooms = union(parts.map(\.map.rooms))
        let numbers = parts.map { PartNumbers($0.map, in: self) }
        let named = zip(parts, numbers).map { part, numbers in
            part.map.places.map { Place(name: $0.name, floor: numbers.floors[Int($0.floor)]) }
        }
        places = Set(named.joined()).sorted { ($0.floor, $0.name) < ($1.floor, $1.name) }
        let placeNumbers = numbered(places)
        let scanners = union(parts.map(\.scanners))
        let scannerNumbers = numbered(scanners)

        let order = surveyOrder(parts)
        var times: [Timestamp] = []
        times.reserveCapacity(order.count)
        fingerprints.reserveCapacity(order.count)
        readingStart.reserveCapacity(order.count + 1)
        let readings = parts.reduce(0) { $0 + $1.map.readingRSSI.count }
        readingTransmitter.reserveCapacity(readings)
        readingRSSI.reserveCapacity(readings)
        for place in order {
            let (part, numbers) = (parts[place.part], numbers[place.part])
            var fingerprint = part.map.fingerprints[place.index]
            fingerprint.floor = numbers.floors[Int(fingerprint.floor)]
            if fingerprint.room >= 0 { fingerprint.room = numbers.rooms[Int(fingerprint.room)] }
            fingerprint.place = placeNumbers[named[place.part][Int(fingerprint.place)]]!
            fingerprint.scanner =
                scannerNumbers[part.scanners[Int(fingerprint.scanner)]]!
            fingerprints.append(fingerprint)
            times.append(part.times[place.index])
            for reading in part.map.readings(of: place.index) {
                let transmitter = Int(part.map.readingTransmitter[reading])
                readingTransmitter.append(numbers.transmitters[transmitter])
                readingRSSI.append(part.map.readingRSSI[reading])
            }
            readingStart.append(Int32(readingTransmitter.count))
        }
        let walks = RadioMapBuilder.walkNumbers(
            scanners: fingerprints.map(\.scanner), times: times)
        for index in fingerprints.indices { fingerprints[index].walk = walks[index] }
    }
}

/// The numbers in the joined map of what a part has numbered itself.
private struct PartNumbers {
    let transmitters: [Int32]
    let floors: [Int32]
    let rooms: [Int32]

    init(_ part: RadioMap, in whole: RadioMap) {
        transmitters = Self.numbers(of: part.transmitters, in: whole.transmitters)
        floors = Self.numbers(of: part.floors, in: whole.floors)
        rooms = Self.numbers(of: part.rooms, in: whole.rooms)
    }

    /// Both lists ascend, so the numbers ascend too, and the readings of a fingerprint stay in
    /// order.
    private static func numbers<Value: Comparable>(
        of some: [Value], in all: [Value]
    ) -> [Int32] {
        var next = 0
        return some.map { value in
            while all[next] < value { next += 1 }
            return Int32(next)
        }
    }
}

/// The fingerprints of all parts by the ids of their surveys, each survey once.
private func surveyOrder(_ parts: [RadioMapPart]) -> [(part: Int, index: Int)] {
    var order: [(survey: EventID, part: Int, index: Int)] = []
    for (number, part) in parts.enumerated() {
        for (index, fingerprint) in part.map.fingerprints.enumerated() {
            order.append((fingerprint.survey, number, index))
        }
    }
    order.sort { ($0.survey, $0.part) < ($1.survey, $1.part) }
    var kept: [(part: Int, index: Int)] = []
    kept.reserveCapacity(order.count)
    for (position, entry) in order.enumerated()
    where position == 0 || order[position - 1].survey != entry.survey {
        kept.append((entry.part, entry.index))
    }
    return kept
}

private func union<Value: Hashable & Comparable>(_ lists: [[Value]]) -> [Value] {
    Set(lists.joined()).sorted()
}

private func numbered<Value: Hashable>(_ values: [Value]) -> [Value: Int32] {
    Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0.element, Int32($0.offset)) })
}
