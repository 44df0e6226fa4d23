import Events
import Geometry
public import Positioning

/// A radio map as bytes: what fingerprint-builder keeps and serves under the hash of these bytes.
///
/// All numbers are little-endian; equal maps give equal bytes. A text is a 16-bit length and UTF-8;
/// a list begins with its 32-bit count.
///
///     6   "WRMAP2"           the format and its version
///     4   reserved, 0
///     list of transmitters   8-bit kind; 1 Wi-Fi and 3 Bluetooth: 48-bit address in 64 bits;
///                            2 beacon: 64-bit high, 64-bit low, 16-bit major, minor; 4 node: text
///     list of floors         text
///     list of rooms          text
///     list of places         32-bit floor, text
///     list of fingerprints   64-bit high, 64-bit low of the survey's id; x, y as 64-bit floats;
///                            32-bit floor, room (-1: none), place, walk, scanner
///     column                 32-bit end of each fingerprint's readings
///     list of readings       32-bit transmitter each, then as a second column 8-bit dBm each
///     4   0x50414D57         the end
public enum RadioMapArtifact {
    static let magic = Array("WRMAP2".utf8)
    static let end: UInt32 = 0x5041_4D57
    static let fingerprintBytes = 52

    public static func encode(_ map: RadioMap) -> [UInt8] {
        var writer = BinaryWriter()
        writer.write(raw: magic)
        writer.write(UInt32(0))
        writer.write(UInt32(map.transmitters.count))
        for transmitter in map.transmitters { write(transmitter, to: &writer) }
        writer.write(UInt32(map.floors.count))
        for floor in map.floors { writer.write(floor.text) }
        writer.write(UInt32(map.rooms.count))
        for room in map.rooms { writer.write(room.text) }
        writer.write(UInt32(map.places.count))
        for place in map.places {
            writer.write(place.floor)
            writer.write(place.name)
        }
        writer.write(UInt32(map.fingerprints.count))
        for fingerprint in map.fingerprints {
            writer.write(fingerprint.survey.high)
            writer.write(fingerprint.survey.low)
            writer.write(fingerprint.point.x)
            writer.write(fingerprint.point.y)
            writer.write(fingerprint.floor)
            writer.write(fingerprint.room)
            writer.write(fingerprint.place)
            writer.write(fingerprint.walk)
            writer.write(fingerprint.scanner)
        }
        writer.write(column: Array(map.readingStart.dropFirst()))
        writer.write(UInt32(map.readingTransmitter.count))
        writer.write(column: map.readingTransmitter)
        writer.write(column: map.readingRSSI)
        writer.write(end)
        return writer.bytes
    }

    /// Reads a map and checks every value, so that positioners can rely on the result.
    public static func decode(_ bytes: [UInt8]) throws(BinaryFault) -> RadioMap {
        var reader = BinaryReader(bytes)
        let magic = Array(try reader.readRaw(Self.magic.count))
        guard magic.dropLast().elementsEqual(Self.magic.dropLast()) else { throw .notThisFormat }
        guard magic == Self.magic else { throw .unknownVersion(magic[magic.count - 1]) }
        guard try reader.read(UInt32.self) == 0 else { throw .notThisFormat }
        var map = RadioMap.empty
        for _ in 0..<(try reader.readCount(bytesEach: 3)) {
            map.transmitters.append(try readTransmitter(&reader))
        }
        for _ in 0..<(try reader.readCount(bytesEach: 3)) {
            map.floors.append(try readIdentifier(&reader))
        }
        for _ in 0..<(try reader.readCount(bytesEach: 3)) {
            map.rooms.append(try readIdentifier(&reader))
        }
        for _ in 0..<(try reader.readCount(bytesEach: 6)) {
            let floor = try reader.read(Int32.self)
            map.places.append(RadioMap.Place(name: try reader.readText(), floor: floor))
        }
        let count = try reader.readCount(bytesEach: fingerprintBytes)
        map.fingerprints.reserveCapacity(count)
        for _ in 0..<count { map.fingerprints.append(try readFingerprint(&reader)) }
        map.readingStart += try reader.readColumn(Int32.self, count: count)
        let readings = try reader.readCount(bytesEach: 5)
        map.readingTransmitter = try reader.readColumn(Int32.self, count: readings)
        map.readingRSSI = try reader.readColumn(Int8.self, count: readings)
        guard try reader.read(UInt32.self) == end else { throw .inconsistent("no end mark") }
        guard reader.left == 0 else { throw .trailingBytes(reader.left) }
        if let fault = map.fault { throw .inconsistent(fault) }
        return map
    }

    private static func write(_ transmitter: Transmitter, to writer: inout BinaryWriter) {
        switch transmitter {
        case .wifi(let address):
            writer.write(UInt8(1))
            writer.write(address.value)
        case .beacon(let uuid, let major, let minor):
            writer.write(UInt8(2))
            writer.write(uuid.high)
            writer.write(uuid.low)
            writer.write(major)
            writer.write(minor)
        case .bluetooth(let address):
            writer.write(UInt8(3))
            writer.write(address.value)
        case .node(let scanner):
            writer.write(UInt8(4))
            writer.write(scanner.text)
        }
    }

    private static func readTransmitter(
        _ reader: inout BinaryReader
    ) throws(BinaryFault) -> Transmitter {
        let kind = try reader.read(UInt8.self)
        switch kind {
        case 1: return .wifi(try readAddress(&reader))
        case 2:
            let uuid = EventID(
                high: try reader.read(UInt64.self), low: try reader.read(UInt64.self))
            return .beacon(
                uuid: uuid, major: try reader.read(UInt16.self),
                minor: try reader.read(UInt16.self))
        case 3: return .bluetooth(try readAddress(&reader))
        case 4: return .node(try readIdentifier(&reader))
        default: throw .unknownKind(kind)
        }
    }

    private static func readAddress(
        _ reader: inout BinaryReader
    ) throws(BinaryFault) -> HardwareAddress {
        let value = try reader.read(UInt64.self)
        guard value >> 48 == 0 else { throw .malformedIdentifier }
        return HardwareAddress(value: value)
    }

    private static func readIdentifier<ID: TextIdentifier>(
        _ reader: inout BinaryReader
    ) throws(BinaryFault) -> ID {
        guard let id = ID(validating: try reader.readText()) else { throw .malformedIdentifier }
        return id
    }

    private static func readFingerprint(
        _ reader: inout BinaryReader
    ) throws(BinaryFault) -> RadioMap.Fingerprint {
        let survey = EventID(high: try reader.read(UInt64.self), low: try reader.read(UInt64.self))
        let point = Point(x: try reader.readDouble(), y: try reader.readDouble())
        return RadioMap.Fingerprint(
            survey: survey, point: point, floor: try reader.read(Int32.self),
            room: try reader.read(Int32.self), place: try reader.read(Int32.self),
            walk: try reader.read(Int32.self), scanner: try reader.read(Int32.self))
    }
}
