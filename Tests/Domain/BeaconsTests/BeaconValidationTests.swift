import Beacons
import Events
import Site
import Testing

@Suite("BeaconValidation") struct BeaconValidationTests {
    /// A change to a valid document, with the fault that it causes.
    struct Fault: Sendable, CustomStringConvertible {
        let code: BeaconFault.Code
        let subject: String
        let change: @Sendable (inout BeaconDocument) -> Void
        var description: String { "\(code.rawValue) in \(subject)" }
    }

    private static let good = document([[(0, 0), (10, 0), (20, 0)], [(1_000, 1_000)]])

    static let planted = [
        Fault(code: .malformedIdentifier, subject: "floor") { $0.floor = FloorID("a b") },
        Fault(code: .malformedIdentifier, subject: "groups[1]") {
            $0.groups[1].id = BeaconGroupID("")
        },
        Fault(code: .duplicateGroup, subject: "groups[1]") { $0.groups[1].id = $0.groups[0].id },
        Fault(code: .duplicateBeacon, subject: "groups[1].beacons[0]") {
            $0.groups[1].beacons[0].minor = 2
        },
        Fault(code: .majorHoldsBattery, subject: "groups[0].beacons[1]") {
            $0.batteryByte = .high
            $0.groups[0].beacons[1].major = 256
        },
        Fault(code: .mapOutOfRange, subject: "map") { $0.map.unitsPerMetre = .nan },
        Fault(code: .mapOutOfRange, subject: "map") { $0.map.originY = -.infinity },
        Fault(code: .mapOutOfRange, subject: "map") { $0.map.unitsPerMetre = 0.001 },
        Fault(code: .placeOutOfRange, subject: "groups[0].beacons[2]") {
            $0.groups[0].beacons[2].place = .relative(x: 0.5, y: 1.001)
        },
        Fault(code: .placeOutOfRange, subject: "groups[0].beacons[2]") {
            $0.groups[0].beacons[2].place = .absolute(x: .nan, y: 1)
        },
        Fault(code: .pathLossOutOfRange, subject: "pathLoss") { $0.pathLoss.exponent = 0 },
        Fault(code: .pathLossOutOfRange, subject: "pathLoss") {
            $0.pathLoss.powerAtOneMetre = 21
        },
        Fault(code: .proximityOutOfRange, subject: "proximity") {
            $0.proximity.farDecibels = .infinity
        },
        Fault(code: .proximityOutOfRange, subject: "groups[1].beacons[0].proximity") {
            $0.groups[1].beacons[0].proximity = ProximityThresholds(
                nearDecibels: 10, farDecibels: 16)
        },
        Fault(code: .proximityOutOfRange, subject: "proximity") {
            $0.proximity.hysteresisDecibels = -1
        },
        Fault(code: .ringTooSmall, subject: "groups[1]") { $0.groups[1].isRing = true },
        Fault(code: .textTooLong, subject: "document") {
            $0.name = String(repeating: "é", count: BeaconLimits.textBytes / 2 + 1)
        },
        Fault(code: .controlCharacter, subject: "groups[0].beacons[0]") {
            $0.groups[0].beacons[0].name = "a\nb"
        },
        Fault(code: .tooMany, subject: "document") {
            $0.groups = Array(repeating: $0.groups[0], count: BeaconLimits.groups + 1)
        },
        Fault(code: .tooMany, subject: "document") {
            $0.groups[0].beacons = Array(
                repeating: $0.groups[0].beacons[0], count: BeaconLimits.beacons)
        },
    ]

    @Test("A document has no faults, even with values exactly at its limits")
    func goodDocument() throws {
        #expect(BeaconValidation.faults(in: Self.good) == [])
        #expect(try BeaconMap(Self.good).beacons.count == 4)
        var empty = Self.good
        empty.groups = []
        #expect(BeaconValidation.faults(in: empty) == [])
    }

    @Test("Each fault is found by itself, with its place in the document", arguments: planted)
    func eachFault(fault: Fault) {
        var document = Self.good
        fault.change(&document)
        let found = BeaconValidation.faults(in: document)
        #expect(found.map(\.code) == [fault.code])
        #expect(found.first?.subject == fault.subject)
        #expect(throws: BeaconFaults(found)) { try BeaconMap(document) }
    }

    @Test("These tests have a case for every code")
    func complete() {
        #expect(Set(Self.planted.map(\.code)) == Set(BeaconFault.Code.allCases))
    }

    @Test("A document full of faults lists no more than the limit")
    func limit() {
        var document = Self.good
        document.groups[0].beacons = (0..<500).map { minor in
            BeaconRecord(major: 2, minor: minor, place: .relative(x: 2, y: 2))
        }
        let faults = BeaconValidation.faults(in: document)
        #expect(faults.count == BeaconLimits.faultsReported)
    }

    @Test("Random documents are valid", arguments: 0..<30)
    func random(seed: Int) {
        var random = RandomBeacons(seed: seed)
        #expect(BeaconValidation.faults(in: random.document()) == [])
    }
}
