import Foundation
import HTTPClient
import Repository
import TestSupport
import Testing

extension IntegrationTests {
    /// Every operation of the API with a token of every role, held against what `describe roles` prints.
    @Suite(.timeLimit(.minutes(10))) struct AccessEndTests {
        private struct Operation: Sendable {
            var method: String
            var pattern: String
            var roles: Set<String>
            var scope: String

            /// Who somebody is, a password, a link, a session or a random id says.
            var isSigningIn: Bool { scope == "none" && pattern.hasPrefix("/v1/") }
            /// Lists that leave out what is of other sites, and refuse nobody for it.
            var listsWhatIsTheirs: Bool {
                method == "GET"
                    && ["/v1/sites", "/v1/accounts", "/v1/invitations", "/v1/limits"].contains(
                        pattern)
            }
            /// FIND3's answers have a status and a sentence.
            var isFIND3: Bool { pattern == "/data" }
            /// Google's answers don't say whether a key is wrong or not for this.
            var isGeolocation: Bool { pattern == "/v1/geolocate" }
            var namesSite: Bool { pattern.contains("{site}") }
            var namesOwnScanner: Bool { pattern.hasPrefix("/v1/scanners/{scanner}/") }

            /// Of a site that is there, and of things that are not.
            func path(site: String) -> String {
                let filled = [
                    "{site}": site, "{floor}": "ground", "{version}": "1", "{other}": "1",
                    "{zoom}": "8", "{x}": "127", "{y}": "85",
                    "{hash}": String(repeating: "0", count: 64), "{id}": "nothing",
                    "{secret}": "nothing",
                    // The device that each token with a device speaks for.
                    "{scanner}": "pi-1",
                ].reduce(pattern) { $0.replacing($1.key, with: $1.value) }
                // No answer is waited for.
                return namesSite ? filled : "\(filled)?site=\(site)&wait=0"
            }
        }

        /// A body that is about the site wherever a body says so, and right for nothing.
        private static let body = jsonText([
            "site": SmallSite.name, "role": "nobody", "device": "pi-1", "connection": "no-door",
        ])

        @Test(
            "Every operation answers every role, site, building and state of a token as the table says"
        )
        func table() async throws {
            let unlimited = [
                "WHEREABOUTS_REQUESTS_PER_SECOND": "0", "WHEREABOUTS_FAILURES_PER_SECOND": "0",
            ]
            let small = try await SmallSite(settings: unlimited)
            let campus = small.campus
            let operations = try await Self.operations(campus)
            #expect(operations.count > 120)
            let documented = try Self.documented()
            let served = Set(operations.map { "\($0.method) \($0.pattern)" })
            #expect(served.subtracting(documented).sorted() == [])
            #expect(documented.subtracting(served).sorted() == [])
            let tokens = try await Tokens(small)
            var wrong: [String] = []
            for operation in operations {
                for token in tokens.all {
                    let status = try await Self.status(operation, token.text, campus)
                    let expected = Self.expectation(operation, token)
                    if !expected.holds(status, operation) {
                        wrong.append(
                            "\(operation.method) \(operation.pattern) with \(token.name): "
                                + "\(status.code) \(status.problem), where \(expected) is due")
                    }
                }
            }
            #expect(wrong.isEmpty, "\(wrong.prefix(40).joined(separator: "\n"))")
        }

        // MARK: What is due

        private enum Expectation {
            case allowed, unknown, wrongRole, wrongSite, wrongBuilding

            func holds(_ status: (code: Int, problem: String), _ operation: Operation) -> Bool {
                switch self {
                case .allowed:
                    // Who signs in, or has no session to end, hears of it from the handler.
                    operation.isSigningIn
                        ? status.code < 500
                        : ![401, 403].contains(status.code) && status.code < 500
                case .unknown where operation.isGeolocation,
                    .wrongRole where operation.isGeolocation:
                    status.code == 400 && status.problem == "keyInvalid"
                case .unknown: status.code == 401
                case .wrongRole:
                    status.code == 403
                        && (status.problem == "role-not-allowed" || operation.isFIND3)
                case .wrongSite:
                    // Where only the body or a hash says which site it is, other faults may come first.
                    operation.namesSite
                        ? status.code == 403 && status.problem == "site-not-yours"
                        : status.code >= 400 && status.code < 500
                            || operation.listsWhatIsTheirs
                case .wrongBuilding:
                    operation.namesSite
                        ? status.code == 403 && status.problem == "building-not-yours"
                        : status.code >= 400 && status.code < 500
                            || operation.listsWhatIsTheirs
                }
            }
        }

        private static func expectation(_ operation: Operation, _ token: Token) -> Expectation {
            let isOpen = operation.roles.contains("anonymous") && operation.scope == "none"
            guard let role = token.role else {
                return token.text == nil && isOpen ? .allowed : .unknown
            }
            if isOpen { return .allowed }
            guard operation.roles.contains(role) else { return .wrongRole }
            switch token.reach {
            case .site: return .allowed
            // A scanner's path is of the site of its token.
            case .otherSite: return operation.namesOwnScanner ? .allowed : .wrongSite
            case .building: return operation.scope == "site" ? .wrongBuilding : .allowed
            }
        }

        private static func status(
            _ operation: Operation, _ token: String?, _ campus: Campus
        ) async throws -> (code: Int, problem: String) {
            let path = operation.path(site: SmallSite.name)
            if operation.pattern.hasSuffix("/stream"), let token {
                do {
                    _ = try await campus.stream(path, token: token)
                    return (200, "")
                } catch let error as HTTPClientError where error.code != "status" {
                    throw error
                } catch {
                    // Refused: asked again for the problem.
                }
            }
            let sends = operation.method != "GET"
            let answer = try await campus.send(
                operation.method, path, token: token, body: sends ? body : [])
            let google = (answer.json["error"] as? [String: Any])?["errors"] as? [[String: Any]]
            return (answer.status, answer.code ?? google?.first?["reason"] as? String ?? "")
        }

        // MARK: What is there

        private static func operations(_ campus: Campus) async throws -> [Operation] {
            let printed = try await campus.whereabouts("describe", "roles").summary
            return (printed["operations"] as? [[String: Any]] ?? []).compactMap { row in
                guard let method = row["method"] as? String, let path = row["path"] as? String,
                    let roles = row["roles"] as? [String], let scope = row["scope"] as? String
                else { return nil }
                return Operation(
                    method: method, pattern: path, roles: Set(roles), scope: scope)
            }
        }

        private static func documented() throws -> Set<String> {
            let file = repository.appending(path: "docs/openapi.json")
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
            let paths = (json as? [String: Any])?["paths"] as? [String: [String: Any]] ?? [:]
            return Set(
                paths.flatMap { path, methods in
                    methods.keys.map { "\($0.uppercased()) \(path)" }
                })
        }

        private struct Token: Sendable {
            enum Reach: Sendable { case site, otherSite, building }
            var name: String
            /// Nil for none, and for tokens that are no good.
            var role: String?
            var reach = Reach.site
            var text: String?
        }

        private struct Tokens {
            var all: [Token] = [Token(name: "no token", role: nil, text: nil)]

            private static let roles = [
                "locate-only", "device", "scanner", "gateway", "visitor", "contributor",
                "aggregate", "analyst", "surveyor", "tester", "administrator-of-site",
            ]

            init(_ small: SmallSite) async throws {
                let campus = small.campus
                let other = "other"
                _ = try await campus.send(
                    "PUT", "/v1/sites/\(other)", token: small.administrator,
                    body: jsonText(SmallSite.document))
                func issue(_ order: [String: Any]) async throws -> (id: String, text: String) {
                    let answer = try await campus.send(
                        "POST", "/v1/tokens", token: small.administrator, body: jsonText(order))
                    #expect(answer.status == 201, "\(answer.text)")
                    let text = answer.json["token"] as? String ?? ""
                    // It works when the answer is there.
                    let asked = try await campus.send("GET", "/v1/sites", token: text)
                    #expect(asked.status != 401)
                    return (answer.json["id"] as? String ?? "", text)
                }
                for role in Self.roles {
                    var order: [String: Any] = ["role": role, "device": "pi-1"]
                    order["site"] = SmallSite.name
                    let own = try await issue(order)
                    all.append(Token(name: "\(role) of the site", role: role, text: own.text))
                    order["buildings"] = ["house"]
                    let part = try await issue(order)
                    all.append(
                        Token(
                            name: "\(role) of a building", role: role, reach: .building,
                            text: part.text))
                    order["buildings"] = nil
                    order["site"] = other
                    let strange = try await issue(order)
                    all.append(
                        Token(
                            name: "\(role) of another site", role: role, reach: .otherSite,
                            text: strange.text))
                }
                all.append(
                    Token(
                        name: "administrator", role: "administrator", text: small.administrator))
                all.append(Token(name: "a revoked token", role: nil, text: small.revoked))
                let soon = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: 3))
                let expired = try await issue([
                    "role": "analyst", "site": SmallSite.name, "expiresAt": soon,
                ])
                try await eventually("the token has expired") {
                    try await campus.send("GET", "/v1/sites", token: expired.text).status == 401
                }
                all.append(Token(name: "an expired token", role: nil, text: expired.text))
            }
        }
    }
}
