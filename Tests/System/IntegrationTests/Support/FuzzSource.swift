import Foundation

/// Makes damaged requests and records, each stream of them given by its seed.
struct FuzzSource {
    struct Request: Sendable {
        var method: String
        var path: String
        var body: [UInt8]
        var headers: [(name: String, value: String)]
        var hasToken: Bool
    }

    private var mutator: Mutator
    private let scan: JSONNode
    private let survey: JSONNode
    private let batch: JSONNode
    private let heard: JSONNode
    private let order: JSONNode
    private let site: JSONNode

    init(seed: UInt64) {
        mutator = Mutator(random: SeededRandom(seed: seed))
        // What is accepted stays in memory for a day, and rightly so. With one id most scans that
        // stay whole are refused as conflicts, and what grows then is a leak.
        scan = JSONNode(SmallSite.scan(["id": "0193a5e0-0000-7000-8000-000000000001"]))
        // No such location: a survey that stays whole is refused, so that the radio map stays small.
        survey = JSONNode(SmallSite.scan(["place": ["location": "none"]]))
        batch = JSONNode([
            SmallSite.scan(["id": "0193a5e0-0000-7000-8000-000000000002"]),
            SmallSite.scan(["site": "none"]),
        ])
        heard = JSONNode(
            SmallSite.scan([
                "id": "0193a5e0-0000-7000-8000-000000000003", "wifi": [Any](), "ble": [Any](),
                "heardBy": [["scanner": "node-7", "rssi": -70] as [String: Any]],
            ]))
        order = JSONNode(["role": "nobody", "note": "n", "site": "small", "device": "pi-1"])
        site = JSONNode(SmallSite.document)
    }

    mutating func request() -> Request {
        var request = Request(method: "POST", path: "", body: [], headers: [], hasToken: true)
        switch mutator.number(0..<100) {
        case 0..<45:
            (request.path, request.body) = ("/v1/scans", scanBody())
        case 45..<60:
            (request.path, request.body) = ("/v1/surveys", mutator.damaged(survey))
        case 60..<75:
            (request.path, request.body) = (
                "/v1/locate", mutator.damaged(mutator.pick([scan, heard]))
            )
        case 75..<80:
            (request.path, request.body) = ("/v1/tokens", mutator.damaged(order))
        case 80..<83:
            request.method = "PUT"
            (request.path, request.body) = ("/v1/sites/fuzz", mutator.damaged(site))
        case 83..<85: request = edit()
        case 85..<89:
            request.method = "GET"
            request.path = page()
        default:
            request.method = mutator.chance(0.95) ? "GET" : mutator.pick(["DELETE", "PUT", "POST"])
            request.path = query()
        }
        if mutator.chance(0.05) { request.headers.append(("content-type", text(30))) }
        if mutator.chance(0.05) { request.headers.append(("accept", text(60))) }
        if mutator.chance(0.05) { request.headers.append(("traceparent", text(60))) }
        if mutator.chance(0.03) { request.headers.append(("if-match", text(10))) }
        if mutator.chance(0.03) {
            let name = mutator.pick([
                "if-match", "if-none-match", "range", "if-range", "last-event-id", "expect",
            ])
            let value = mutator.pick(Self.numbers)
            let form = mutator.pick([
                "\"\(value)\"", "\"draft-\(value)\"", "bytes=\(value)-", "bytes=-\(value)",
                "bytes=\(value)-\(value)", value, "W/\"\(value)\"",
            ])
            request.headers.append((name, form))
        }
        if mutator.chance(0.03) {
            request.hasToken = false
            request.headers.append(("authorization", "Bearer \(text(60))"))
        }
        return request
    }

    /// Numbers at the ends of what programs hold, and beyond.
    static let numbers = [
        "0", "-0", "1", "-1", "255", "256", "65535", "65536", "2147483647", "2147483648",
        "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "253402300799999999", "253402300800000000", "-62167219200000000", "-62167219200000001",
        "-8276687236854775808", "946684800000000", "1e308", "1e999", "NaN", "", "+7",
        "99999999999999999999999999999999999999999",
    ]

    /// A page of any list, after any place: what other lists give for one, with any number in it.
    mutating func page() -> String {
        // Each path has parameters of its own. The server refuses others before it reads any.
        let pages = [
            ("/v1/positions", "site after limit"), ("/v1/visits", "site after limit"),
            ("/v1/outages", "site after limit"), ("/v1/sites/small/versions", "after limit"),
            ("/v1/sites/small/rooms", "version floor after limit"),
            ("/v1/sites/small/search", "q floor after limit"),
            ("/v1/sites/small/fingerprints", "floor after limit"),
            ("/v1/sites/small/measurements", "after limit"),
            ("/v1/sites/small/access-points", "after limit"),
            ("/v1/sites/small/survey-coach", "floor count"), ("/v1/tokens", "site after limit"),
            ("/v1/positions/latest", "site after limit"),
            ("/v1/group-visits", "site after limit"),
            ("/v1/sites/small/beacon-batteries", "after limit"),
        ]
        let (path, known) = mutator.pick(pages)
        let names = known.split(separator: " ").map(String.init)
        let number = mutator.pick(Self.numbers)
        let cursor = mutator.pick([
            "\(number)~00000000-0000-7000-8000-000000000000", "\(number)~", "~\(number)", number,
            "\(number)~\(number)", "\(number).\(number)", "00000000-0000-7000-8000-000000000000",
        ])
        var parts: [String] = []
        for name in names {
            switch name {
            case "site": parts.append("site=small")
            case "q": parts.append("q=a")
            case "after": if mutator.chance(0.9) { parts.append("after=\(cursor)") }
            default:
                if mutator.chance(0.15) { parts.append("\(name)=\(mutator.pick(Self.numbers))") }
            }
        }
        if mutator.chance(0.02) { parts.append("stray=1") }
        return path + "?" + parts.joined(separator: "&")
    }

    /// A record of a site whose text grows as it is written anew: short numbers become long ones, and names
    /// that are empty or full of escapes come where there is just no room left.
    mutating func edit() -> Request {
        let number = mutator.pick(["1e3", "1e4", "1e5", "1e6", "-1e4"])
        let filling = Array(repeating: "[]", count: mutator.number(0..<200)).joined(separator: ",")
        let name = mutator.pick(["", "", "\\u0001", "\\u0001\\u0002", "\\\"", "x"])
        let text = "{\"b\":\(number),\"c\":[\(filling)],\"\(name)\":1}"
        return Request(
            method: mutator.pick(["PUT", "PUT", "PATCH"]), path: "/v1/sites/small/rooms/a",
            body: Array(text.utf8), headers: [("if-match", "*")], hasToken: true)
    }

    private mutating func scanBody() -> [UInt8] {
        switch mutator.number(0..<20) {
        case 0..<3: return mutator.damaged(batch)
        case 3: return mutator.damaged(heard)
        case 4:
            let lines = (0..<mutator.number(1..<5)).map { _ in mutator.damaged(scan) }
            return Array(lines.joined(separator: [UInt8(ascii: "\n")]))
        case 5: return mutator.bytes(mutator.number(0..<3_000))
        default: return mutator.damaged(scan)
        }
    }

    private mutating func query() -> String {
        let names = ["from", "until", "device", "after", "limit", "site", "floor", "accessPoint"]
        let values = [
            "2026-11-21T08:00:00.000Z", "pi-1", "small", "10", "0", "-1", "99999999999999999999",
            "1~00000000-0000-0000-0000-000000000000", "9223372036854775807~", "ground", "'", "%00",
            "%ff%fe", "%zz", "%", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
        ]
        let paths = [
            "/v1/positions", "/v1/positions", "/v1/positions/latest", "/v1/sites/small/rooms",
            "/v1/sites/small/radio-map", "/v1/sites/small/fingerprints", "/v1/radio-maps/",
            "/v1/sites/small/measurements", "/v1/sites/small/access-points", "/v1/tokens/", "/v1/",
            "/v1/magnetic-routes", "/v1/magnetic-routes/",
            "/v1/sites/",
        ]
        var path = mutator.pick(paths)
        if mutator.chance(0.1) { path += escaped(30) }
        // The other site of the fuzz has nothing to look through.
        var parts = mutator.chance(0.7) ? ["site=small"] : []
        for _ in 0..<mutator.number(0..<5) {
            let value = mutator.chance(0.7) ? mutator.pick(values) : escaped(40)
            parts.append("\(mutator.pick(names))=\(value)")
        }
        return path + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }

    /// Any bytes, in hexadecimal after percent signs.
    private mutating func escaped(_ limit: Int) -> String {
        mutator.bytes(mutator.number(0..<limit)).map { String(format: "%%%02x", $0) }.joined()
    }

    /// What may stand in a header field: anything visible, beyond ASCII too.
    private mutating func text(_ limit: Int) -> String {
        String(
            (0..<mutator.number(1..<limit)).map { _ in
                Character(mutator.pick(Array("abc019-_.;,=\"~*/:é{}".unicodeScalars)))
            })
    }

    /// A record as somebody may put it on a topic: with headers that are almost right.
    mutating func record(token: String, event: String) -> RawRecord {
        var record = RawRecord()
        if mutator.chance(0.9) { record.key = mutator.bytes(mutator.number(0..<40)) }
        if mutator.chance(0.95) {
            record.value = mutator.chance(0.8) ? mutator.damaged(scan) : mutator.bytes(100)
        }
        let headers = [
            ("authorization", "Bearer \(token)"), ("ce_specversion", "1.0"), ("ce_id", "1"),
            ("ce_source", "/fuzz"), ("ce_type", event), ("ce_time", "2026-11-21T08:00:00.000Z"),
            ("ce_site", "small"),
        ]
        for (name, value) in headers where mutator.chance(0.95) {
            let isDamaged = mutator.chance(0.05)
            record.headers.append((name, isDamaged ? text(2_000) : value))
        }
        return record
    }
}
