import Cryptography
import Events
import HTTPClient
import JSON
import Postgres
import ServiceRuntime
import SiteEditor
import Wire

extension Command {
    /// Makes, lists and revokes tokens directly in the database: the first token can't be made over
    /// HTTP, which asks for a token.
    public static let token = Command(
        name: "token", summary: "make, list or revoke bearer tokens",
        help: """
            whereabouts token create --role ROLE [--site ID] [--building ID]... [--device ID]
                [--expires WHEN] [--note TEXT] [--signing-key FILE]
                [--quota RECORDS[,BURST[,BYTES]]] [--plain]
            whereabouts token list
            whereabouts token revoke ID [--children]

              --role      \(alternatives(TokenRole.allCases.map(\.rawValue), indent: 14))
              --site      the only site that the token is for (needed for a device)
              --building  a building of the site that the token is for; may be given several times
              --device    the only device that the token is for (needed for a device and a scanner)
              --expires   when it ends, such as 30d, 1y or 2027-06-30 (default: after 90 days to
                          two years; docs/roles.md lists each role)
              --note      a text that `list` shows
              --signing-key
                          the file of the secret key (PEM) with which records of scans-inbound are
                          signed; made if it is missing. Only the public half is stored
              --quota     the token's own quota in place of its role's: records a second, records
                          at once, and bytes a second
              --children  also revoke the tokens that were issued with this one
              --plain     print the token alone in place of a JSON object

            Works on the database of DATABASE_URL. A token is shown once; only its hash is stored.
            If services run at WHEREABOUTS_URL, a new token is printed once they accept it.
            """,
        run: { try await runToken($0) })

    private static func runToken(_ invocation: Invocation) async throws {
        let reader = try ArgumentReader(
            invocation.arguments,
            options: [
                "--role", "--site", "--device", "--note", "--expires",
                "--signing-key", "--quota",
            ], lists: ["--building"], flags: ["--plain", "--children"])
        let now = Timestamp(microseconds: SystemTimeSource().nowMicroseconds)
        // Wrong arguments are an error without a database, too.
        let work = try tokenWork(reader, now)
        let environment = ServiceProgram.processEnvironment
        guard let url = try secretVariable("DATABASE_URL", in: environment) else {
            throw CommandFault("DATABASE_URL is not set")
        }
        let store = TokenStore(
            pool: PostgresPool(PostgresConfiguration(url), maximumConnections: 1))
        try await store.prepare()
        switch work {
        case .create(let order):
            try await requireReconciled()
            try await create(order, reader, in: store, at: now, invocation)
        case .list:
            for row in try await store.live(at: now) { invocation.output(line(of: row)) }
        case .revoke(let id):
            try await requireReconciled()
            let gone = try await store.revoke(id, children: reader.has("--children"), at: now)
            guard !gone.isEmpty else {
                throw CommandFault("no valid token has the id \(id); `token list` lists them")
            }
            invocation.output(#"{"revoked":"\#(id)","tokens":\#(gone.count)}"#)
        }
    }

    private enum TokenWork {
        case create(TokenOrder)
        case list
        case revoke(EventID)
    }

    private static func tokenWork(
        _ reader: ArgumentReader, _ now: Timestamp
    ) throws(UsageFault) -> TokenWork {
        switch (reader.positional.first, reader.positional.count) {
        case ("create", 1): return .create(try order(reader, now))
        case ("list", 1): return .list
        case ("revoke", 2):
            guard let id = EventID(reader.positional[1]) else {
                throw UsageFault("\(reader.positional[1]) is no token's id")
            }
            return .revoke(id)
        default: throw UsageFault("token needs create, list or revoke ID")
        }
    }

    private static func create(
        _ order: TokenOrder, _ reader: ArgumentReader, in store: TokenStore, at now: Timestamp,
        _ invocation: Invocation
    ) async throws {
        var order = order
        if let file = reader.last("--signing-key") {
            order.signingKey = hexadecimal(try SigningKeyFile(file).publicKey())
        }
        if let site = order.site, try await !store.isKnown(site) {
            invocation.note("There is no site \(site) yet; the token works once there is.")
        }
        if let building = try await store.unknownBuilding(in: order) {
            invocation.note(
                "The site has no building \(building) yet; the token works there once it has.")
        }
        let (token, issued) = try await store.issue(order, at: now)
        await waitUntilKnown(token, issued, in: store)
        if reader.has("--plain") { return invocation.output(token) }
        var line = JSONWriter()
        line.beginObject()
        line.field("token", token)
        line.field("id", issued.id.description)
        line.field("role", issued.role.rawValue)
        line.field("expiresAt", microseconds: issued.expiresAt?.microseconds)
        line.endObject()
        invocation.output(line.finishText())
    }

    /// A token as `GET /v1/tokens` lists it. The command does not know who is blocked.
    static func line(of row: TokenStore.Row) -> String {
        var line = JSONWriter()
        line.beginObject()
        ListedToken(row.issued, blockedUntil: nil, lastUsedAt: row.lastUsedAt)
            .writeMembers(to: &line)
        line.endObject()
        return line.finishText()
    }

    /// The running services, asked with this token; nil where an address is malformed.
    private static func services(token: String) -> ServiceClient? {
        var environment = ServiceProgram.processEnvironment
        environment["WHEREABOUTS_TOKEN"] = token
        return try? ServiceClient(environment)
    }

    /// Refuses a change while running services find that the database is older than the log. They
    /// would not send it, and reconciling would take it back.
    private static func requireReconciled() async throws {
        // Readiness is public, so any token will do.
        guard let services = services(token: "none") else { return }
        defer { services.client.close() }
        let answer = try? await services.client.send(
            "GET", services.url("site-editor", "/readyz"), timeoutSeconds: 2)
        let parts = answer.flatMap { ReadinessAnswer(json: $0.body) }?.unready ?? []
        if let reason = parts.first(where: { $0.name == SiteEditorDefinition.fitCheck })?.reason {
            throw CommandFault(reason)
        }
    }

    /// Waits until the running services accept the token, some seconds at most.
    ///
    /// A new token reaches them through the log after a moment; its user should not be refused
    /// until then. Services that are not running read it when they start.
    ///
    /// Each refusal is a line of the security log, as if somebody guessed tokens. So this asks only
    /// after the token was sent to the log, seldom, and by a path that is open to every role.
    private static func waitUntilKnown(
        _ token: String, _ issued: TokenIssued, in store: TokenStore
    ) async {
        guard let services = services(token: token) else { return }
        defer { services.client.close() }
        let url = services.url("site-editor", "/v1/session")
        let isRunning = (try? await services.client.send("GET", url, timeoutSeconds: 1)) != nil
        guard isRunning else { return }
        var looks = mostLooks
        while (try? await store.waitsToBeSent(issued)) == true {
            looks -= 1
            guard looks > 0 else { return }
            try? await Task.sleep(for: .milliseconds(100))
        }
        var pause = Duration.milliseconds(200)
        for _ in 0..<mostQuestions {
            try? await Task.sleep(for: pause)
            let answer = try? await services.client.send(
                "GET", url, headers: services.headers, timeoutSeconds: 1)
            guard let answer, answer.status == 401 || answer.mayPass else { return }
            pause *= 2
        }
    }

    /// How often the outbox is looked at, ten times a second.
    private static let mostLooks = 50
    /// How often services are asked; the pauses between grow from 0.2 to 1.6 s.
    private static let mostQuestions = 4

    private static func order(
        _ reader: ArgumentReader, _ now: Timestamp
    ) throws(UsageFault) -> TokenOrder {
        guard let role = reader.last("--role").flatMap(TokenRole.init(rawValue:)) else {
            let roles = TokenRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageFault("--role is one of \(roles)")
        }
        var order = TokenOrder(role: role, note: reader.last("--note") ?? "")
        if let text = reader.last("--site") {
            guard let site = SiteID(validating: text) else {
                throw UsageFault("\(text) is no site's id")
            }
            order.site = site
        }
        if let text = reader.last("--device") {
            guard let device = DeviceID(validating: text) else {
                throw UsageFault("\(text) is no device's id")
            }
            order.device = device
        }
        order.quota = try reader.last("--quota").map { text throws(UsageFault) in
            try quota(text)
        }
        for text in reader.all("--building") {
            guard let building = BuildingID(validating: text) else {
                throw UsageFault("\(text) is no building's id")
            }
            order.buildings.append(building)
        }
        if let text = reader.last("--expires") {
            guard let expiry = expiry(text, now) else {
                throw UsageFault(
                    "--expires needs a time such as 30d, 1y or 2027-06-30, not \(text)")
            }
            order.expiresAt = expiry
        }
        return order
    }

    private static func quota(_ text: String) throws(UsageFault) -> TokenQuota {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        let numbers = parts.compactMap { $0 }.filter { (0.001...1_000_000_000).contains($0) }
        guard numbers.count == parts.count, (1...3).contains(numbers.count),
            numbers.dropFirst().allSatisfy({ $0 >= 1 })
        else { throw UsageFault("--quota is RECORDS[,BURST[,BYTES]], such as 20,200,1000000") }
        return TokenQuota(
            recordsPerSecond: numbers[0], burst: numbers.count > 1 ? Int(numbers[1]) : nil,
            bytesPerSecond: numbers.count > 2 ? Int(numbers[2]) : nil)
    }

    /// The time that a text names, or nil. The text is a duration from now in hours, days, weeks
    /// or years (`36h`, `30d`, `2w`, `1y`), a day (midnight in UTC), or a time.
    static func expiry(_ text: String, _ now: Timestamp) -> Timestamp? {
        let hours = ["h": 1, "d": 24, "w": 168, "y": 8_760]
        if let unit = text.last.flatMap({ hours[String($0)] }) {
            guard let count = Int64(text.dropLast()), (1...100_000).contains(count) else {
                return nil
            }
            return now.advanced(byMicroseconds: count * Int64(unit) * 3_600_000_000)
        }
        let time = text.contains("T") ? text : "\(text)T00:00:00Z"
        return RFC3339.microseconds(time).map(Timestamp.init(microseconds:))
    }
}
