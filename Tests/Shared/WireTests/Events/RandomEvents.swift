import Events
import SeededRandomness
import Site
import Wire

/// Random events that JSON carries without loss: complete milliseconds, and decimals that are
/// binary fractions.
struct RandomEvents {
    var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func every() -> [any WireEvent] {
        [
            scan(),
            SurveyRecorded(scan: scan(), place: place(), author: maybe { $0.text(40) }), position(),
            site(), radioMap(),
            choice(), calibration(), selected(), fingerprint(), token(), deadLetter(),
            visitStarted(),
            visitEnded(), groupEntered(), groupLeft(),
            BeaconBatteryReported(
                site: SiteID(name()), beacon: BeaconID(name()), percent: integer(0...100),
                at: time()),
            TimePassed(partition: integer(0...1_000), at: time()), magneticRoute(),
            magneticValidation(), outage(),
            OutageEnded(
                outage: outage(), endedAt: time(), endedBy: text(40), ender: maybe { $0.text(40) }),
        ] + surveyReviews() + timetables() + scanRequests() + [sighting(), tap()]
    }

    /// Control characters would be replaced when the SSID is read.
    mutating func ssid() -> String { text(32).filter { !hasControlCharacter("\($0)") } }

    mutating func visitStarted() -> VisitStarted {
        VisitStarted(
            visit: id(), site: SiteID(name()), device: DeviceID(name()),
            zone: Zone([.building, .room][integer(0...1)], ZoneID(name())), entered: time(),
            confidence: Double(integer(0...64)) / 64)
    }

    mutating func visitEnded() -> VisitEnded {
        VisitEnded(
            visit: id(), site: SiteID(name()), device: DeviceID(name()),
            zone: Zone([.building, .room][integer(0...1)], ZoneID(name())), entered: time(),
            left: time(), confidence: Double(integer(0...64)) / 64,
            reason: [.left, .silent][integer(0...1)])
    }

    mutating func groupEntered() -> GroupEntered {
        GroupEntered(
            visit: id(), site: SiteID(name()), device: DeviceID(name()),
            group: BeaconGroupID(name()), floor: FloorID(name()), entered: time())
    }

    mutating func groupLeft() -> GroupLeft {
        GroupLeft(
            visit: id(), site: SiteID(name()), device: DeviceID(name()),
            group: BeaconGroupID(name()), floor: FloorID(name()), entered: time(), left: time())
    }

    mutating func scan() -> ScanRecorded {
        ScanRecorded(
            id: id(), site: SiteID(name()), device: DeviceID(name()), scanner: ScannerID(name()),
            at: time(), sentAt: maybe { $0.time() }, receivedAt: time(),
            wifi: list(30) { $0.wifi() }, ble: list(4) { $0.bluetooth() },
            heardBy: list(4) {
                NodeReading(
                    scanner: ScannerID($0.name()), rssi: $0.integer(-120...0),
                    distance: $0.maybe { $0.distance() })
            },
            steps: maybe { $0.integer(0...1_000_000) },
            headingDegrees: maybe { $0.number(360) },
            speedMetresPerSecond: maybe { abs($0.number(1_000)) },
            pressureHectopascals: maybe { Double($0.integer(300_000...1_100_000)) / 1_000 },
            magneticMicrotesla: maybe {
                MagneticField(x: $0.number(100), y: $0.number(100), z: $0.number(100))
            },
            magneticSamples: magneticSamples(),
            stepsAtMilliseconds: integer(0...3) == 0 ? [integer(0...1_000), 2_000, 60_000] : [],
            gnss: maybe {
                SatelliteFix(
                    latitude: $0.number(90), longitude: $0.number(180),
                    accuracyMetres: $0.maybe { abs($0.number(1_000)) })
            })
    }

    /// In thousandths, as they are written.
    private mutating func magneticSamples() -> [MagneticSample] {
        var at = integer(0...1_000_000)
        return list(5) { random in
            at += random.integer(1...1_000)
            return MagneticSample(
                atMilliseconds: at, field: random.magneticField(),
                gravity: random.maybe { $0.magneticField() })
        }
    }

    private mutating func magneticField() -> MagneticField {
        func part() -> Double { Double(integer(-50_000...50_000)) / 1_000 }
        return MagneticField(x: part(), y: part(), z: part())
    }

    mutating func place() -> SurveyPlace {
        switch integer(0...2) {
        case 0: .location(LocationID(name()))
        case 1: .metres(floor: FloorID(name()), x: number(1e5), y: number(1e5))
        default:
            .geographic(floor: FloorID(name()), latitude: number(90), longitude: number(180))
        }
    }

    private mutating func wifi() -> WiFiReading {
        WiFiReading(
            bssid: HardwareAddress(value: random.next()), ssid: maybe { $0.ssid() },
            rssi: integer(-120...0), frequency: maybe { $0.integer(2_400...7_200) },
            ageMilliseconds: maybe { $0.integer(0...10_000) },
            distance: maybe { $0.distance() })
    }

    mutating func distance() -> MeasuredDistance {
        MeasuredDistance(
            metres: Double(integer(0...8_000)) / 8, deviation: Double(integer(1...8_000)) / 8)
    }

    private mutating func bluetooth() -> BluetoothReading {
        BluetoothReading(
            uuid: id(), major: maybe { UInt16($0.integer(0...65_535)) },
            minor: maybe { UInt16($0.integer(0...65_535)) },
            address: maybe { HardwareAddress(value: $0.random.next()) }, rssi: integer(-120...0),
            txPower: maybe { $0.integer(-128...127) })
    }

    mutating func position() -> PositionEstimated {
        var position = PositionEstimated(
            id: id(), scan: id(), at: time(), locatedAt: time(), device: DeviceID(name()),
            site: SiteID(name()), siteVersion: integer(0...Int.max),
            state: [.located, .uncertain, .lost][integer(0...2)], late: integer(0...1) == 0,
            positioner: text(20), radioMapVersion: maybe { $0.integer(0...1_000) })
        position.choiceVersion = maybe { $0.integer(1...1_000) }
        position.building = maybe { BuildingID($0.name()) }
        position.floor = maybe { FloorID($0.name()) }
        position.room = maybe { RoomID($0.name()) }
        position.rooms = list(5) {
            PositionEstimated.RoomProbability(
                id: RoomID($0.name()), probability: Double($0.integer(0...16)) / 16)
        }
        position.x = maybe { $0.eighths() }
        position.y = maybe { $0.eighths() }
        position.latitude = maybe { $0.eighths() }
        position.longitude = maybe { $0.eighths() }
        position.covariance = maybe { [$0.eighths(), $0.eighths(), $0.eighths()] }
        position.radius68 = maybe { $0.eighths() }
        position.radius95 = maybe { $0.eighths() }
        position.motion = maybe { MotionPeriod.allCases[$0.integer(0...3)] }
        return position
    }

    private mutating func radioMap() -> RadioMapAnnounced {
        RadioMapAnnounced(
            site: SiteID(name()), version: integer(1...Int.max), hash: name(),
            byteCount: integer(0...Int.max), siteVersion: integer(0...9),
            surveyOffsets: list(12) { Int64($0.integer(0...Int.max)) }, builderVersion: text(10),
            builtAt: time(), fingerprints: integer(0...9_999), accessPoints: integer(0...9_999),
            parts: list(3) {
                .init(
                    building: BuildingID($0.name()), hash: $0.name(),
                    byteCount: $0.integer(0...Int.max))
            })
    }

    private mutating func calibration() -> NodesCalibrated {
        NodesCalibrated(
            site: SiteID(name()), siteVersion: integer(0...9), calibratedAt: time(),
            level: quarters(), wallLoss: quarters(), floorLoss: quarters(),
            deviation: Double(integer(1...9)),
            nodes: list(4) {
                NodesCalibrated.Node(
                    scanner: ScannerID($0.name()), offset: $0.quarters(),
                    offsetError: $0.quarters(), exponent: $0.quarters(),
                    exponentError: $0.quarters(), links: $0.integer(0...99),
                    readings: $0.integer(0...9_999),
                    state: $0.maybe { _ in .deaf } ?? .working, deafSince: $0.maybe { $0.time() })
            })
    }

    private mutating func selected() -> PositionerSelected {
        PositionerSelected(
            site: SiteID(name()), revision: integer(1...Int.max),
            selection: PositionerSelection(
                served: maybe { $0.text(40) }, beside: list(2) { $0.text(40) }),
            selectedAt: time())
    }

    private mutating func quarters() -> Double { Double(integer(-400...400)) / 4 }

    private mutating func choice() -> PositionerChosen {
        PositionerChosen(
            site: SiteID(name()), radioMapVersion: integer(1...Int.max), hash: name(),
            positioner: text(40), meanErrorMetres: maybe { abs($0.eighths()) },
            floorHit: maybe { Double($0.integer(0...64)) / 64 }, chosenAt: time())
    }

    private mutating func fingerprint() -> FingerprintBuilt {
        FingerprintBuilt(
            site: SiteID(name()), place: text(20), floor: FloorID(name()),
            room: maybe { RoomID($0.name()) }, x: eighths(), y: eighths(), surveys: integer(0...99),
            readings: list(20) {
                FingerprintBuilt.Statistic(
                    accessPoint: $0.text(17), mean: $0.eighths(), deviation: $0.eighths(),
                    detection: Double($0.integer(0...64)) / 64)
            }, radioMapVersion: integer(1...99))
    }

    private mutating func magneticRoute() -> MagneticRouteRecorded {
        MagneticRouteRecorded(
            site: SiteID(name()), route: MagneticRouteID(name()), version: integer(1...Int.max),
            floor: FloorID(name()),
            polyline: list(9) { MagneticRoutePoint(x: $0.eighths(), y: $0.eighths()) },
            walk: walk(), recordedAt: time())
    }

    private mutating func magneticValidation() -> MagneticRouteValidated {
        MagneticRouteValidated(
            site: SiteID(name()), route: MagneticRouteID(name()), version: integer(1...Int.max),
            recording: integer(1...Int.max), walk: walk(),
            direction: integer(0...1) == 0 ? .forward : .backward, meanMetres: eighths(),
            percentile95Metres: eighths(), elsewhere: Double(integer(0...64)) / 64,
            isReliable: integer(0...1) == 0, validatedAt: time(),
            recorded: maybe { $0.magneticRoute() }, doubt: maybe { abs($0.eighths()) })
    }

    private mutating func walk() -> MagneticWalk {
        MagneticWalk(
            samples: list(20) { random in
                MagneticSample(
                    atMilliseconds: random.integer(0...(1 << 53)), field: random.vector(),
                    gravity: random.maybe { $0.vector() })
            }, passedAtMilliseconds: list(5) { $0.integer(0...99_999) },
            stepsAtMilliseconds: list(5) { $0.integer(0...99_999) })
    }

    private mutating func vector() -> MagneticField {
        MagneticField(x: eighths(), y: eighths(), z: eighths())
    }

    private mutating func outage() -> OutageReported {
        OutageReported(
            site: SiteID(name()), id: id(), connection: ConnectionID(name()), from: time(),
            until: maybe { $0.time() }, reason: text(40), reportedBy: text(40), reportedAt: time(),
            reporter: maybe { $0.text(40) })
    }

    private mutating func deadLetter() -> DeadLettered {
        DeadLettered(
            topic: text(20), partition: integer(0...11), offset: Int64(integer(0...Int.max)),
            code: text(10), detail: text(40),
            key: maybe { $0.list(9) { UInt8($0.integer(0...255)) } },
            value: maybe { $0.list(99) { UInt8($0.integer(0...255)) } }, at: time())
    }

    mutating func integer(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }

    /// Eighths have few decimals, which every field keeps.
    mutating func eighths() -> Double { Double(integer(-4_000...4_000)) / 8 }

    mutating func number(_ limit: Double) -> Double {
        .random(in: -limit...limit, using: &random)
    }

    mutating func id() -> EventID { EventID(high: random.next(), low: random.next()) }

    mutating func time() -> Timestamp {
        Timestamp(milliseconds: Int64(integer(0...4_000_000_000_000)))
    }

    mutating func name() -> String {
        let characters = Array("abcXYZ019._-")
        return String(list(1...64) { characters[$0.integer(0...characters.count - 1)] })
    }

    mutating func text(_ limit: Int) -> String {
        let characters: [Character] = [
            "a", "Z", " ", "\"", "\\", "\n", "\u{1}", "é", "😀", "/", "<",
        ]
        return String(list(limit) { characters[$0.integer(0...characters.count - 1)] })
    }

    mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        integer(0...2) == 0 ? nil : make(&self)
    }

    mutating func list<Value>(
        _ limit: Int, _ make: (inout Self) -> Value
    ) -> [Value] {
        list(0...limit, make)
    }

    mutating func list<Value>(
        _ count: ClosedRange<Int>, _ make: (inout Self) -> Value
    ) -> [Value] {
        (0..<integer(count)).map { _ in make(&self) }
    }
}
