public import Events
internal import JSON

/// The most bytes of texts that people type when they sign in or join. Passwords have a limit of
/// their own.
private let nameBytes = 200
private let secretBytes = 64
private let passwordBytes = 1_024

/// A sign-in by password: the body of `POST /v1/session`.
public struct SignInSubmission: Sendable {
    public var signIn: String
    public var password: String

    /// Reads `{"signIn", "password"}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try reading(body) { (fields) throws(WireFault) in
            Self(
                signIn: try fields.required("signIn").text(maximumBytes: nameBytes),
                password: try fields.required("password").text(maximumBytes: passwordBytes))
        }
    }

    private init(signIn: String, password: String) {
        self.signIn = signIn
        self.password = password
    }
}

/// The answer to an invitation, or the first account's details: the body of `POST /v1/accounts`.
public struct JoinSubmission: Sendable {
    /// The secret in the invitation's link.
    public var secret: String
    public var signIn: String
    public var name: String
    public var password: String

    /// Reads `{"secret", "signIn", "name", "password"}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try reading(body) { (fields) throws(WireFault) in
            Self(
                secret: try fields.required("secret").text(maximumBytes: secretBytes),
                signIn: try fields.required("signIn").text(maximumBytes: nameBytes),
                name: try fields.required("name").text(maximumBytes: nameBytes),
                password: try fields.required("password").text(maximumBytes: passwordBytes))
        }
    }

    private init(secret: String, signIn: String, name: String, password: String) {
        self.secret = secret
        self.signIn = signIn
        self.name = name
        self.password = password
    }
}

/// An administrator's invitation: the body of `POST /v1/invitations`.
public struct InvitationSubmission: Sendable {
    /// A note for the list of invitations, such as the person's name.
    public var note: String
    public var grants: [RoleGrant]

    /// Reads `{"note"?, "grants"}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try reading(body) { (fields) throws(WireFault) in
            _ = try fields.required("grants")
            return Self(
                note: try fields.optional("note")?.text(maximumBytes: nameBytes) ?? "",
                grants: try RoleGrant.ordered(fields, "grants"))
        }
    }

    private init(note: String, grants: [RoleGrant]) {
        self.note = note
        self.grants = grants
    }
}

/// Changes of an account: the body of `PATCH /v1/accounts/{id}`.
public struct AccountSubmission: Sendable {
    /// The new name; nil keeps the present one.
    public var name: String?
    /// The new grants; nil keeps the present ones.
    public var grants: [RoleGrant]?

    /// Reads `{"name"?, "grants"?}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try reading(body) { (fields) throws(WireFault) in
            Self(
                name: try fields.optional("name")?.text(maximumBytes: nameBytes),
                grants: try fields.optional("grants") == nil
                    ? nil : RoleGrant.ordered(fields, "grants"))
        }
    }

    private init(name: String?, grants: [RoleGrant]?) {
        self.name = name
        self.grants = grants
    }
}

/// A new password and the old one: the body of `POST /v1/accounts/me/password`.
public struct PasswordSubmission: Sendable {
    public var old: String
    public var new: String

    /// Reads `{"old", "new"}`.
    public init(json body: [UInt8]) throws(WireFault) {
        self = try reading(body) { (fields) throws(WireFault) in
            Self(
                old: try fields.required("old").text(maximumBytes: passwordBytes),
                new: try fields.required("new").text(maximumBytes: passwordBytes))
        }
    }

    private init(old: String, new: String) {
        self.old = old
        self.new = new
    }
}

private func reading<Value>(
    _ body: [UInt8], _ read: (FieldReader) throws(WireFault) -> Value
) throws(WireFault) -> Value {
    try withJSON(body) { (root) throws(WireFault) in
        guard let object = root.object else {
            throw WireFault(.notAnObject, "an object is expected")
        }
        return try read(FieldReader(object))
    }
}
