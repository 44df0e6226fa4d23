import HTTP

/// A principal whose id is its role.
final class RolePrincipal: Principal {
    let id: String
    let role: String

    init(id: String, role: String) {
        self.id = id
        self.role = role
    }
}

let testRules = TestRules(roles: [
    "GET /here": ["device"], "POST /guarded": ["device"], "PUT /places/{id}": ["editor"],
    "GET /whoami": ["device", "editor"],
])

/// Access rules by operation, such as `GET /whoami`: the roles that may call it. Everybody may call
/// an operation that is not listed.
struct TestRules: Authorizer {
    var roles: [String: Set<String>] = [:]
    var unruled: Set<String> = []
    /// The parameters that a query may have, by operation; an operation without a row takes any.
    var parameters: [String: [String]] = [:]
    /// The operations whose queries have each parameter once.
    var once: Set<String> = []

    func rule(for method: HTTPMethod, _ pattern: String) -> (any AccessRule)? {
        let operation = "\(method.rawValue) \(pattern)"
        return unruled.contains(operation)
            ? nil
            : TestRule(
                roles: roles[operation], queryParameters: parameters[operation],
                takesEachParameterOnce: once.contains(operation))
    }
}

private struct TestRule: AccessRule {
    /// The roles that may call. Nil for everybody.
    let roles: Set<String>?
    let queryParameters: [String]?
    let takesEachParameterOnce: Bool

    func refusal(of principal: (any Principal)?, parameters: [String: String]) -> Problem? {
        guard let roles else { return nil }
        guard let principal = principal as? RolePrincipal else { return .tokenMissing }
        return roles.contains(principal.role) ? nil : .roleNotAllowed
    }
}
