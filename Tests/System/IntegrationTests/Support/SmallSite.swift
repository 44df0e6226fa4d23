import Foundation
import TestSupport

/// One process on PostgreSQL with a site of two rooms, and a token of each kind that matters.
struct SmallSite: Sendable {
    static let name = "small"
    /// Started once for all tests that only ask; it ends with the tests.
    static let shared = Task { try await SmallSite() }

    let campus: Campus
    let administrator: String
    let surveyor: String
    let visitor: String
    let device: String
    let revoked: String

    init(
        settings: [String: String] = [:], kafka: RealKafka? = nil,
        document: [String: Any] = document
    ) async throws {
        try await self.init(
            Campus(
                kafka == nil ? .postgres : .kafka, .together, settings: settings, kafka: kafka),
            document: document)
    }

    init(_ campus: Campus, document: [String: Any] = document) async throws {
        self.campus = campus
        func token(_ role: String, _ more: String...) async throws -> String {
            try await ProgramRun.of(
                campus.program + ["token", "create", "--plain", "--role", role] + more,
                environment: campus.environment
            ).successful().lines.last ?? ""
        }
        administrator = try await token("administrator")
        surveyor = try await token("surveyor", "--site", Self.name)
        visitor = try await token("visitor", "--site", Self.name)
        // Many tests speak through it, faster than a device does.
        device = try await token(
            "device", "--site", Self.name, "--device", "pi-1", "--quota",
            "100000,1000000,1000000000")
        let passing = try await campus.whereabouts(
            "token", "create", "--role", "device", "--site", Self.name, "--device", "pi-2"
        ).summary
        revoked = passing["token"] as? String ?? ""
        let administrator = administrator
        let revoked = revoked
        let document = jsonText(document)
        try await eventually("the tokens are known") {
            try await campus.send("GET", "/v1/sites", token: revoked).status == 200
        }
        _ = try await campus.whereabouts("token", "revoke", passing["id"] as? String ?? "")
        try await eventually("the site is published") {
            try await campus.send(
                "PUT", "/v1/sites/\(Self.name)", token: administrator, body: document
            ).status < 300
        }
        try await eventually("the site is known") {
            let answer = try await campus.send(
                "POST", "/v1/scans", token: administrator, body: jsonText(Self.scan()))
            return answer.status == 202
        }
        try await eventually("the revoked token stops") {
            try await campus.send("GET", "/v1/sites", token: revoked).status == 401
        }
    }

    /// A further token of `pi-1`.
    func newDevice() async throws -> String {
        let order = ["role": "device", "site": Self.name, "device": "pi-1"]
        let answer = try await campus.send(
            "POST", "/v1/tokens", token: administrator, body: jsonText(order))
        guard let token = answer.json["token"] as? String else {
            throw TestServerError("no token: \(answer.text)")
        }
        return token
    }

    /// A further token of an administrator of the site.
    func newAdministrator() async throws -> String {
        let order = ["role": "administrator-of-site", "site": Self.name]
        let answer = try await campus.send(
            "POST", "/v1/tokens", token: administrator, body: jsonText(order))
        guard let token = answer.json["token"] as? String else {
            throw TestServerError("no token: \(answer.text)")
        }
        try await eventually("the token is known") {
            try await campus.send("GET", "/v1/sites", token: token).status == 200
        }
        return token
    }

    static var document: [String: Any] {
        func room(_ id: String, _ x: Double) -> [String: Any] {
            [
                "id": id, "floor": "ground", "name": id, "kind": "lab",
                "outline": [[x, 0.0], [x + 10, 0.0], [x + 10, 8.0], [x, 8.0]],
            ]
        }
        return [
            "name": "Small", "origin": ["latitude": 51.5, "longitude": -0.1], "bearingDegrees": 0,
            "buildings": [["id": "house", "name": "House", "timeZone": "Europe/London"]],
            "floors": [["id": "ground", "building": "house", "ordinal": 0, "level": "G"]],
            "rooms": [room("a", 0), room("b", 10)],
            "locations": [
                ["id": "a-1", "floor": "ground", "room": "a", "x": 5.0, "y": 4.0] as [String: Any]
            ],
            "connections": [
                [
                    "id": "door-ab", "kind": "door",
                    "stops": [
                        ["floor": "ground", "room": "a", "x": 10.0, "y": 4.0] as [String: Any],
                        ["floor": "ground", "room": "b", "x": 10.0, "y": 4.0],
                    ],
                ] as [String: Any]
            ],
        ]
    }

    /// A scan of 25 readings as `pi-1` sends it.
    static func scan(_ changes: [String: Any] = [:]) -> [String: Any] {
        let readings = (0..<25).map { number -> [String: Any] in
            [
                "bssid": "00:62:ec:fd:ec:" + String(format: "%02x", number), "ssid": "eduroam",
                "rssi": -40 - number, "frequency": 5180, "ageMilliseconds": 120,
            ]
        }
        let beacon: [String: Any] = [
            "uuid": "F7826DA6-4FA2-4E98-8024-BC5B71E0893E", "major": 80, "minor": 3, "rssi": -71,
            "txPower": -59,
        ]
        let scan: [String: Any] = [
            "scanner": "pi-1", "device": "pi-1", "site": name, "wifi": readings, "ble": [beacon],
            "steps": 4, "headingDegrees": 87.0, "speedMetresPerSecond": 1.2,
            "magnetic": [-21.4, 3.0, -41.2],
            "gnss": ["latitude": 51.5129, "longitude": -0.1167, "accuracyMetres": 12.0],
        ]
        return scan.merging(changes) { $1 }
    }

    static func reading(_ changes: [String: Any]) -> [String: Any] {
        ["wifi": [["bssid": "00:62:ec:fd:ec:50", "rssi": -62].merging(changes) { $1 }]]
    }
}
