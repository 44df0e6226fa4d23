import Events
import Geometry
import Site
import Wire

/// One event of each type with every field, and some with the required fields only. The golden
/// files show them.
enum SampleEvents {
    static let moment = Timestamp(milliseconds: 1_795_248_000_000)
    static let scanID = EventID(high: 0x0193_b2a4_7c3e_7a10, low: 0x8000_0000_0000_abcd)

    static let all = events + scanRequests + sightings + taps

    private static let events: [(name: String, event: any WireEvent)] = [
        ("scan-recorded", scan), ("scan-recorded-empty", emptyScan),
        ("scan-recorded-magnetic", magneticScan), ("scan-recorded-distance", measuredScan),
        ("scan-recorded-pressure", pressureScan),
        ("survey-recorded", survey), ("survey-recorded-metres", surveyInMetres),
        ("survey-recorded-geographic", surveyInDegrees), ("position-estimated", position),
        ("position-estimated-walking", walkingPosition),
        ("position-estimated-chosen", chosenPosition),
        ("position-estimated-lost", lostPosition), ("site-published", site),
        ("site-published-connections", connectedSite),
        ("site-published-campus", campus),
        ("site-published-access-points", accessPointSite),
        ("site-published-scanners", scannerSite), ("site-announced", siteAnnounced),
        ("site-published-beacons", beaconSite),
        ("radio-map-announced", radioMap), ("radio-map-announced-parts", radioMapInParts),
        ("positioner-chosen", choice), ("nodes-calibrated", nodesCalibrated),
        ("positioner-selected", selected), ("positioner-selected-default", selectedDefault),
        ("fingerprint-built", fingerprint),
        ("magnetic-route-recorded", magneticRoute),
        ("magnetic-route-recorded-plain", plainMagneticRoute),
        ("magnetic-route-validated", magneticValidation),
        ("magnetic-route-validated-whole", wholeMagneticValidation),
        ("magnetic-route-deleted", magneticDeletion),
        ("outage-reported", outage), ("outage-reported-open", openOutage),
        ("outage-ended", outageEnd),
        ("account-changed", accountChanged), ("session-key-made", sessionKeyMade),
        ("log-identified", logIdentified),
        ("token-issued", token), ("token-issued-administrator", administratorToken),
        ("token-issued-bound", boundToken), ("survey-recorded-author", authoredSurvey),
        ("surveys-judged", surveysJudged), ("surveys-judged-first", firstSurveysJudged),
        ("surveys-judged-named", namedSurveysJudged),
        ("survey-kept-aside", surveyKeptAside), ("survey-decided", surveyDecided),
        ("surveys-withdrawn", surveyWithdrawn), ("surveys-withdrawn-author", authorWithdrawn),
        ("visit-started", visitStarted), ("visit-ended", visitEnded), ("time-passed", timePassed),
        ("group-entered", groupEntered), ("group-left", groupLeft),
        ("beacon-battery-reported", beaconBattery),
        ("device-erased", deviceErased), ("room-booked", roomBooked),
        ("room-booked-plain", plainRoomBooked), ("booking-moved", bookingMoved),
        ("booking-cancelled", bookingCancelled), ("computers-counted", computersCounted),
        ("computers-counted-unknown", computersUnknown),
        ("dead-lettered", deadLetter), ("dead-lettered-tombstone", deadTombstone),
        ("dead-lettered-whole", wholeDeadLetter), ("dead-letter-put-back", putBack),
    ]

    static let measuredScan = ScanRecorded(
        id: scanID, site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        scanner: ScannerID("pi-0042"), at: moment,
        receivedAt: Timestamp(milliseconds: 1_795_248_001_000),
        wifi: [
            WiFiReading(
                bssid: HardwareAddress(value: 0x0062_ecfd_ec50), rssi: -62,
                distance: MeasuredDistance(metres: 7.25, deviation: 0.5))
        ],
        heardBy: [
            NodeReading(
                scanner: ScannerID("node-7"), rssi: -70,
                distance: MeasuredDistance(metres: 3, deviation: 1.5))
        ])

    static let scan = ScanRecorded(
        id: scanID, site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        scanner: ScannerID("pi-0042"), at: moment,
        sentAt: Timestamp(milliseconds: 1_795_248_000_900),
        receivedAt: Timestamp(milliseconds: 1_795_248_001_000),
        wifi: [
            WiFiReading(
                bssid: HardwareAddress(value: 0x0062_ecfd_ec50), ssid: "eduroam", rssi: -62,
                frequency: 5_180, ageMilliseconds: 120),
            WiFiReading(
                bssid: HardwareAddress(value: 0xffff_ffff_ffff), ssid: "caffè \"È\"", rssi: 0),
            WiFiReading(bssid: HardwareAddress(value: 1), rssi: -120),
        ],
        ble: [
            BluetoothReading(
                uuid: EventID(high: 0xf782_6da6_4fa2_4e98, low: 0x8024_bc5b_71e0_893e), major: 80,
                minor: 3, rssi: -71, txPower: -59),
            BluetoothReading(address: HardwareAddress(value: 0xa0b1_c2d3_e4f5), rssi: -80),
        ],
        heardBy: [NodeReading(scanner: ScannerID("node-7"), rssi: -70)], steps: 4,
        headingDegrees: 87, speedMetresPerSecond: 1.2,
        magneticMicrotesla: MagneticField(x: -21.4, y: 3, z: -41.2),
        gnss: SatelliteFix(latitude: 51.5129, longitude: -0.1167, accuracyMetres: 12))

    static let magneticScan = ScanRecorded(
        id: scanID, site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        scanner: ScannerID("pi-0042"), at: moment, receivedAt: moment, steps: 2,
        magneticSamples: [
            MagneticSample(
                atMilliseconds: 81_000, field: MagneticField(x: -21.4, y: 3.125, z: -41.2)),
            MagneticSample(
                atMilliseconds: 81_050, field: MagneticField(x: -21.5, y: 3, z: -41),
                gravity: MagneticField(x: 0.1, y: -0.25, z: -9.8)),
        ], stepsAtMilliseconds: [80_400, 81_020])

    static let pressureScan = ScanRecorded(
        id: scanID, site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        scanner: ScannerID("pi-0042"), at: moment, receivedAt: moment, steps: 2,
        pressureHectopascals: 1_012.347)

    static let emptyScan = ScanRecorded(
        id: scanID, site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        scanner: ScannerID("node-1"), at: moment, receivedAt: moment)

    static let survey = SurveyRecorded(scan: scan, place: .location(LocationID("S6.01-door")))
    static let surveyInMetres = SurveyRecorded(
        scan: emptyScan, place: .metres(floor: FloorID("south-6"), x: 12, y: 3.5))
    static let surveyInDegrees = SurveyRecorded(
        scan: emptyScan,
        place: .geographic(floor: FloorID("south-6"), latitude: 51.5129, longitude: -0.1167))

    static let position: PositionEstimated = {
        var position = lostPosition
        position.building = BuildingID("bush-house")
        position.floor = FloorID("south-6")
        position.room = RoomID("S6.01")
        position.rooms = [
            PositionEstimated.RoomProbability(id: RoomID("S6.01"), probability: 0.75),
            PositionEstimated.RoomProbability(id: RoomID("S6.02"), probability: 0.125),
        ]
        position.x = 12.346
        position.y = -3.5
        position.latitude = 51.512912346
        position.longitude = -0.116712346
        position.covariance = [2.25, -0.5, 1.125]
        position.radius68 = 2.5
        position.radius95 = 5.125
        position.state = .located
        position.radioMapVersion = 7
        return position
    }()

    static let walkingPosition: PositionEstimated = {
        var walking = position
        walking.motion = .moderate
        return walking
    }()

    static let chosenPosition: PositionEstimated = {
        var chosen = position
        chosen.choiceVersion = 6
        return chosen
    }()

    static let lostPosition = PositionEstimated(
        id: EventID(high: 0x1111_2222_3333_5444, low: 0x8555_6666_7777_8888), scan: scanID,
        at: moment, locatedAt: Timestamp(milliseconds: 1_795_248_001_020),
        device: DeviceID("pi-0042"), site: SiteID("bush-house"), siteVersion: 3, state: .lost,
        late: false, positioner: "nearest", radioMapVersion: nil)

    static let radioMap = RadioMapAnnounced(
        site: SiteID("bush-house"), version: 7,
        hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        byteCount: 123_456,
        siteVersion: 3, surveyOffsets: [0, 120, 9_000_000_000], builderVersion: "1",
        builtAt: moment, fingerprints: 338, accessPoints: 60)
    static let radioMapInParts = RadioMapAnnounced(
        site: SiteID("bush-house"), version: 8,
        hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        byteCount: 123_456, siteVersion: 3, surveyOffsets: [3], builderVersion: "3",
        builtAt: moment, fingerprints: 338, accessPoints: 60,
        parts: [
            .init(
                building: BuildingID("south"),
                hash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                byteCount: 124_000)
        ])

    static let choice = PositionerChosen(
        site: SiteID("bush-house"), radioMapVersion: 7,
        hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        positioner: "knn:exponent=1.5,k=5", meanErrorMetres: 2.125, floorHit: 0.984375,
        chosenAt: moment)

    static let selected = PositionerSelected(
        site: SiteID("bush-house"), revision: 3,
        selection: PositionerSelection(served: "auto", beside: ["track", "mine"]),
        selectedAt: moment)

    static let selectedDefault = PositionerSelected(
        site: SiteID("bush-house"), revision: 4, selection: PositionerSelection(),
        selectedAt: moment)

    static let nodesCalibrated = NodesCalibrated(
        site: SiteID("bush-house"), siteVersion: 3, calibratedAt: moment, level: -61.25,
        wallLoss: 3.5, floorLoss: 14.75, deviation: 4.25,
        nodes: [
            NodesCalibrated.Node(
                scanner: ScannerID("node-7"), offset: -9.5, offsetError: 1.25, exponent: 2.125,
                exponentError: 0.125, links: 9, readings: 4_211),
            NodesCalibrated.Node(
                scanner: ScannerID("node-8"), offset: 0, offsetError: 7, exponent: 2.25,
                exponentError: 0, links: 0, readings: 0, state: .deaf, deafSince: moment),
        ])

    static let fingerprint = FingerprintBuilt(
        site: SiteID("bush-house"), place: "S6.01-door", floor: FloorID("south-6"),
        room: RoomID("S6.01"), x: 4, y: 0.5, surveys: 12,
        readings: [
            FingerprintBuilt.Statistic(
                accessPoint: "00:62:ec:fd:ec:50", mean: -62.25, deviation: 3.125, detection: 0.75)
        ], radioMapVersion: 7)

    static let magneticRoute = MagneticRouteRecorded(
        site: SiteID("bush-house"), route: MagneticRouteID("south-6-corridor"), version: 1,
        floor: FloorID("south-6"),
        polyline: [
            MagneticRoutePoint(x: 0, y: 1.5), MagneticRoutePoint(x: 12.25, y: 1.5),
            MagneticRoutePoint(x: 12.25, y: -4),
        ],
        walk: MagneticWalk(
            samples: [
                MagneticSample(
                    atMilliseconds: 0, field: MagneticField(x: -21.4, y: 3, z: -41.2),
                    gravity: MagneticField(x: 0.125, y: 6.5, z: 7.25)),
                MagneticSample(
                    atMilliseconds: 100, field: MagneticField(x: -21.125, y: 3.5, z: -41),
                    gravity: MagneticField(x: 0, y: 6.75, z: 7)),
            ], passedAtMilliseconds: [0, 50, 100], stepsAtMilliseconds: [20, 90]),
        recordedAt: moment)
    static let plainMagneticRoute: MagneticRouteRecorded = {
        var route = magneticRoute
        route.version = 2
        route.polyline.removeLast()
        route.walk = MagneticWalk(
            samples: [
                MagneticSample(atMilliseconds: 0, field: MagneticField(x: -21.4, y: 3, z: -41.2))
            ])
        return route
    }()
    static let magneticValidation = MagneticRouteValidated(
        site: SiteID("bush-house"), route: MagneticRouteID("south-6-corridor"), version: 3,
        recording: 2, walk: plainMagneticRoute.walk, direction: .backward, meanMetres: 0.75,
        percentile95Metres: 1.625, elsewhere: 0.015625, isReliable: true, validatedAt: moment)
    static let wholeMagneticValidation: MagneticRouteValidated = {
        var validation = magneticValidation
        validation.recorded = plainMagneticRoute
        return validation
    }()
    static let magneticDeletion = MagneticRouteDeleted(
        site: SiteID("bush-house"), route: MagneticRouteID("south-6-corridor"), version: 4,
        deletedAt: moment)

    static let outage = OutageReported(
        site: SiteID("bush-house"), id: scanID, connection: ConnectionID("lift-b"), from: moment,
        until: Timestamp(milliseconds: 1_795_266_000_000), reason: "Inspection, yearly",
        reportedBy: "Estates desk", reportedAt: moment)
    static let openOutage: OutageReported = {
        var open = outage
        open.until = nil
        open.reason = "Stuck between floors"
        return open
    }()
    static let outageEnd = OutageEnded(
        outage: openOutage, endedAt: Timestamp(milliseconds: 1_795_251_600_000),
        endedBy: "Lift engineer")

    static let token = TokenIssued(
        hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", id: scanID,
        role: .device, site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        note: "the one by the stairs", issuedAt: moment,
        expiresAt: Timestamp(milliseconds: 1_826_784_000_000))
    static let administratorToken = TokenIssued(
        hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", id: scanID,
        role: .administrator, site: nil, device: nil, note: "", issuedAt: moment, expiresAt: nil)

    static let boundToken = TokenIssued(
        hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", id: scanID,
        role: .administratorOfSite, site: SiteID("bush-house"),
        buildings: [BuildingID("main"), BuildingID("east")], device: nil, note: "",
        issuedAt: moment,
        expiresAt: nil, issuedBy: "0193b2a4-7c3e-7a10-8000-00000000abce",
        signingKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        quota: TokenQuota(recordsPerSecond: 2.5, burst: 50, bytesPerSecond: 100_000))

    static let authoredSurvey = SurveyRecorded(
        scan: emptyScan, place: .metres(floor: FloorID("bush-6"), x: 12, y: 3.5),
        author: "0193b2a4-7c3e-7a10-8000-00000000abce")
    static let surveysJudged = SurveysJudged(
        site: SiteID("bush-house"), surveyOffsets: [17, 0, 4], radioMapVersion: 7, at: moment)
    static let firstSurveysJudged = SurveysJudged(
        site: SiteID("bush-house"), surveyOffsets: [3], radioMapVersion: nil, at: moment)
    static let namedSurveysJudged = SurveysJudged(
        site: SiteID("bush-house"), surveys: [scanID], radioMapVersion: 8, at: moment)
    static let surveyKeptAside = SurveyKeptAside(
        site: SiteID("bush-house"), survey: scanID, author: "0193b2a4-7c3e-7a10-8000-00000000abce",
        doubt: .againstMap, radioMapVersion: 7,
        radioMapHash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        distanceMetres: 456.25, at: moment)
    static let surveyDecided = SurveyDecided(
        site: SiteID("bush-house"), survey: scanID, isAccepted: true, by: "an account", at: moment)
    static let surveyWithdrawn = SurveysWithdrawn(
        site: SiteID("bush-house"), which: .survey(scanID), by: "an account", at: moment)
    static let authorWithdrawn = SurveysWithdrawn(
        site: SiteID("bush-house"), which: .author("0193b2a4-7c3e-7a10-8000-00000000abce"),
        by: "an account", at: moment)

    static let accountChanged = AccountChanged(
        account: AccountID(scanID), version: 3,
        grants: [
            RoleGrant(.analyst, site: SiteID("bush-house")),
            RoleGrant(
                .surveyor, site: SiteID("museum"),
                buildings: [BuildingID("main"), BuildingID("annex")]),
            RoleGrant(.administrator),
        ], sessionsEnded: 2, at: moment)
    static let sessionKeyMade = SessionKeyMade(
        id: "d75a980182b10ab7",
        publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        madeAt: moment)

    static let logIdentified = LogIdentified(
        id: "0f8e3a5b7c9d1e2f4a6b8c0d2e4f6a8b", at: moment)

    static let visitStarted = VisitStarted(
        visit: EventID(high: 0x2222_3333_4444_5555, low: 0x8666_7777_8888_9999),
        site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        zone: Zone(.room, ZoneID("S6.01")), entered: moment, confidence: 0.8125)
    static let visitEnded = VisitEnded(
        visit: EventID(high: 0x2222_3333_4444_5555, low: 0x8666_7777_8888_9999),
        site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        zone: Zone(.room, ZoneID("S6.01")), entered: moment,
        left: Timestamp(milliseconds: 1_795_248_600_000), confidence: 0.75, reason: .left)
    static let timePassed = TimePassed(
        partition: 4, at: Timestamp(milliseconds: 1_795_248_660_000))

    static let groupEntered = GroupEntered(
        visit: EventID(high: 0x2222_3333_4444_5555, low: 0x8666_7777_8888_aaaa),
        site: SiteID("bush-house"), device: DeviceID("pi-0042"), group: BeaconGroupID("hall"),
        floor: FloorID("south-6"), entered: moment)
    static let groupLeft = GroupLeft(
        visit: EventID(high: 0x2222_3333_4444_5555, low: 0x8666_7777_8888_aaaa),
        site: SiteID("bush-house"), device: DeviceID("pi-0042"), group: BeaconGroupID("hall"),
        floor: FloorID("south-6"), entered: moment,
        left: Timestamp(milliseconds: 1_795_248_600_000))

    static let beaconBattery = BeaconBatteryReported(
        site: SiteID("bush-house"), beacon: BeaconID("hall-1"), percent: 80, at: moment)

    static let deviceErased = DeviceErased(
        id: EventID(high: 0x2222_3333_4444_5555, low: 0x8666_7777_8888_9999),
        site: SiteID("bush-house"), device: DeviceID("pi-0042"),
        at: Timestamp(milliseconds: 1_795_248_600_000))

    static let deadLetter = DeadLettered(
        topic: "whereabouts.scans-inbound", partition: 4, offset: 9_000_000_000, code: "not-json",
        detail: "this is not JSON (byte 0)", key: [0x61, 0xFF], value: Array("hello".utf8),
        at: moment)
    static let wholeDeadLetter = DeadLettered(
        topic: "whereabouts.scans", partition: 4, offset: 7, code: "not-json",
        detail: "this is not JSON (byte 0)", key: [0x61], value: [0x62], at: moment,
        headers: [1, 0, 0x63, 1, 0, 0, 0, 0x64], consumer: "locator", appendedAt: moment,
        isCut: true)
    static let putBack = DeadLetterPutBack(
        topic: "whereabouts.scans", partition: 4, offset: 7, consumer: "locator", at: moment)
    static let deadTombstone = DeadLettered(
        topic: "whereabouts.scans-inbound", partition: 0, offset: 0, code: "value-missing",
        detail: "the record has no value", key: nil, value: nil, at: moment)
}
