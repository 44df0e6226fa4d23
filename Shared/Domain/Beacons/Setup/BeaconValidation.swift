import Events
import Site

/// Finds the errors in a document of beacons.
public struct BeaconValidation {
    private let document: BeaconDocument
    private var faults: [BeaconFault] = []
    private var groupsSeen: Set<BeaconGroupID> = []
    private var beaconsSeen: Set<BeaconName> = []

    private init(_ document: BeaconDocument) { self.document = document }

    /// The errors of the document in the order of its parts; empty for a valid document.
    public static func faults(in document: BeaconDocument) -> [BeaconFault] {
        var validation = BeaconValidation(document)
        validation.checkSize()
        // If a document exceeds its limits, its other parts are not checked.
        guard validation.faults.isEmpty else { return validation.faults }
        validation.checkText(document.name, "document")
        if let floor = document.floor, !isWellFormedIdentifier(floor.text) {
            validation.add(
                .malformedIdentifier, "floor",
                "an id must have 1 to 64 of the characters [A-Za-z0-9._-]")
        }
        validation.checkMap()
        validation.checkPathLoss()
        validation.check(document.proximity, "proximity")
        for (index, group) in document.groups.enumerated() {
            validation.check(group, "groups[\(index)]")
        }
        return validation.faults
    }

    private mutating func add(_ code: BeaconFault.Code, _ subject: String, _ detail: String) {
        guard faults.count < BeaconLimits.faultsReported else { return }
        faults.append(BeaconFault(code: code, subject: subject, detail: detail))
    }

    private mutating func checkSize() {
        let beacons = document.groups.reduce(0) { $0 + $1.beacons.count }
        let counts = [
            ("groups", document.groups.count, BeaconLimits.groups),
            ("beacons", beacons, BeaconLimits.beacons),
        ]
        for (name, count, limit) in counts where count > limit {
            add(.tooMany, "document", "\(count) \(name), but at most \(limit) are allowed")
        }
    }

    // Comparisons are written so that a value that is not a number fails them.

    private mutating func checkMap() {
        let map = document.map
        for (name, size) in [("width", map.width), ("height", map.height)]
        where !(size > 0 && size <= BeaconLimits.mapUnits) {
            add(
                .mapOutOfRange, "map", "\(name) \(size) must be above 0 and at most 1,000,000 units"
            )
        }
        let longestMetres = max(map.width, map.height) / map.unitsPerMetre
        if !(map.unitsPerMetre > 0 && map.unitsPerMetre <= BeaconLimits.mapUnits) {
            let detail =
                "\(map.unitsPerMetre) units per metre must be above 0 and at most 1,000,000"
            add(.mapOutOfRange, "map", detail)
        } else if longestMetres > BeaconLimits.mapMetres {
            let detail =
                "\(longestMetres) m wide or high at this scale, but at most 100,000 m are allowed"
            add(.mapOutOfRange, "map", detail)
        }
        for (name, metres) in [("x", map.originX), ("y", map.originY)]
        where !(abs(metres) <= BeaconLimits.mapMetres) {
            add(.mapOutOfRange, "map", "origin \(name) \(metres) must be within 100,000 m")
        }
    }

    private mutating func checkPathLoss() {
        let pathLoss = document.pathLoss
        if !BeaconLimits.pathLossExponent.contains(pathLoss.exponent) {
            add(.pathLossOutOfRange, "pathLoss", "exponent \(pathLoss.exponent) must be 1 to 10")
        }
        if let power = pathLoss.powerAtOneMetre, !BeaconLimits.powerAtOneMetre.contains(power) {
            let detail = "\(power) dBm at one metre must be -120 to 20"
            add(.pathLossOutOfRange, "pathLoss", detail)
        }
    }

    private mutating func check(_ thresholds: ProximityThresholds, _ subject: String) {
        let range = BeaconLimits.attenuationDecibels
        if !(range.contains(thresholds.nearDecibels) && range.contains(thresholds.farDecibels)) {
            add(.proximityOutOfRange, subject, "a threshold must be -100 to 120 dB")
        } else if !thresholds.isConsistent {
            add(
                .proximityOutOfRange, subject,
                "near and far must be over twice the hysteresis apart; it must not be negative"
            )
        }
    }

    private mutating func check(_ group: BeaconGroupRecord, _ subject: String) {
        if !isWellFormedIdentifier(group.id.text) {
            add(
                .malformedIdentifier, subject,
                "an id must have 1 to 64 of the characters [A-Za-z0-9._-]")
        } else if !groupsSeen.insert(group.id).inserted {
            add(.duplicateGroup, subject, "the id \(group.id) is used twice; choose another")
        }
        checkText(group.name, subject)
        if group.isRing && group.beacons.count < 3 {
            add(.ringTooSmall, subject, "a ring must have at least three beacons")
        }
        for (index, beacon) in group.beacons.enumerated() {
            check(beacon, "\(subject).beacons[\(index)]")
        }
    }

    private mutating func check(_ beacon: BeaconRecord, _ subject: String) {
        if !beaconsSeen.insert(BeaconName(major: beacon.major, minor: beacon.minor)).inserted {
            add(.duplicateBeacon, subject, "another beacon has the same major and minor")
        }
        if document.batteryByte != nil, let major = beacon.major, major > UInt16(UInt8.max) {
            let detail = "major \(major) must be at most 255 where the other byte holds the battery"
            add(.majorHoldsBattery, subject, detail)
        }
        checkText(beacon.name, subject)
        if let proximity = beacon.proximity { check(proximity, "\(subject).proximity") }
        switch beacon.place {
        case .relative(let x, let y):
            if !((0...1).contains(x) && (0...1).contains(y)) {
                add(.placeOutOfRange, subject, "relative [\(x), \(y)] must be 0 to 1 each")
            }
        case .absolute(let x, let y):
            if !(0 <= x && x <= document.map.width && 0 <= y && y <= document.map.height) {
                add(.placeOutOfRange, subject, "absolute [\(x), \(y)] must be on the map")
            }
        }
    }

    private mutating func checkText(_ text: String?, _ subject: String) {
        guard let text else { return }
        if text.utf8.count > BeaconLimits.textBytes {
            let detail =
                "a name of \(text.utf8.count) bytes; at most \(BeaconLimits.textBytes) are allowed"
            add(.textTooLong, subject, detail)
        }
        if hasControlCharacter(text) {
            add(.controlCharacter, subject, "a name must not have a control character")
        }
    }
}
