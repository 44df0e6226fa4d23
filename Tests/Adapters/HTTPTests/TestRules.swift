import HTTP

/// A principal that is a word.
final class RolePrincipal: Principal {
    let id: String
    let role: String

    init(id: String, role: String) {
        self.id = id
        self.role = role
    }
}

/// What the tests' routes ask.
let testRules = TestRules(roles: [
    "GET /here": ["device"], "POST /guarded": ["device"], "PUT /places/{id}": ["editor"],
    "GET /whoami": ["device", "editor"],
])

/// Rules by operation, such as `GET /whoami`: the roles that may, and all may where it is not
/// named.
struct TestRules: Authorizer {
    var roles: [String: Set<String>] = [:]
    /// Operations without a rule.
    var unruled: Set<String> = []

    func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? {
        let operation = "\(method.rawValue) \(pattern)"
        return unruled.contains(operation) ? nil : TestRule(roles: roles[operation])
    }
}

private struct TestRule: AccessRule {
    /// Nil for anybody.
    let roles: Set<String>?

    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? {
        guard let roles else { return nil }
        guard let principal = principal as? RolePrincipal else { return .tokenMissing }
        return roles.contains(principal.role) ? nil : .roleNotAllowed
    }
}
