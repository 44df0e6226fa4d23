/// A kind of line in the security log. `whereabouts describe security-events` prints this list into
/// SECURITY.md.
public enum SecurityEvent: String, CaseIterable, Sendable {
    case accessDenied = "access denied"
    case badToken = "bad token"
    case signedIn = "signed in"
    case signedOut = "signed out"
    case sessionsEnded = "sessions ended"
    case passwordChanged = "password changed"
    case invitationMade = "invitation made"
    case invitationWithdrawn = "invitation withdrawn"
    case accountMade = "account made"
    case rolesChanged = "roles changed"
    case groupsMissing = "groups missing"
    case accountEnded = "account ended"
    case tokenIssued = "token issued"
    case tokenRevoked = "token revoked"
    case tokensEnded = "tokens ended"
    case positionsLookedUp = "positions looked up"
    case deviceEnrolled = "device enrolled"
    case deviceErased = "device erased"
    case deviceReportRead = "device report read"
    case sitePublished = "site published"
    case siteExported = "site exported"
    case siteRemoved = "site removed"
    case testEnded = "test ended"
    case outageReported = "outage reported"
    case outageEnded = "outage ended"
    case surveyWithdrawn = "survey withdrawn"
    case surveysOfAuthorWithdrawn = "surveys of an author withdrawn"
    case surveysReviewed = "surveys reviewed"
    case enrolmentCodeMade = "enrolment code made"
    case scannerEnrolled = "scanner enrolled"
    case enrolmentFailed = "enrolment failed"
    case scannerPaired = "scanner paired"
    case pairingFailed = "pairing failed"
    case scannerChanged = "scanner changed"
    case positionerSelected = "positioner selected"
    case recordPutBack = "record put back"

    /// The cause of a line, as a part of a sentence.
    public var cause: String { words.cause }

    /// The names of its values. Each line also has `caller` and, for a person, `account`.
    public var fields: [String] { words.fields }

    private var words: (cause: String, fields: [String]) {
        switch self {
        case .accessDenied:
            ("a request was refused, or a password was wrong", ["code", "operation", "address"])
        case .badToken:
            ("a token was unknown, revoked or over", ["code", "operation", "address"])
        case .signedIn: ("a person signed in", ["way", "address"])
        case .signedOut: ("a person signed out", ["address"])
        case .sessionsEnded: ("all sessions of an account ended", ["of"])
        case .passwordChanged: ("a person changed the password", ["address"])
        case .invitationMade: ("a link for a new account was made", ["invitation", "roles"])
        case .invitationWithdrawn: ("such a link was withdrawn", ["invitation"])
        case .accountMade:
            (
                "a person joined by a link, or signed in by groups for the first time",
                ["way", "invitation", "roles", "address"]
            )
        case .rolesChanged:
            ("an administrator or a group changed roles", ["of", "roles", "former", "way"])
        case .groupsMissing:
            ("a provider or a proxy said nothing of a person's groups", ["issuer", "taken"])
        case .accountEnded: ("an account was ended", ["of"])
        case .tokenIssued: ("a token was made over HTTP", ["token", "role", "of"])
        case .tokenRevoked: ("a token was revoked over HTTP", ["token", "revoked"])
        case .tokensEnded:
            ("tokens ended with the role or the account that made them", ["of", "tokens", "way"])
        case .positionsLookedUp:
            ("somebody read positions or visits", ["site", "device", "operation"])
        case .deviceEnrolled: ("a device was enrolled", ["device", "of"])
        case .deviceErased: ("an erasure began", ["erasure", "of"])
        case .deviceReportRead: ("somebody read all that is kept", ["device", "of"])
        case .sitePublished: ("a version was published", ["site", "version"])
        case .siteExported: ("a site was exported", ["site"])
        case .siteRemoved: ("a site was removed, with its tokens", ["site"])
        case .testEnded: ("a testers' site was removed", ["site"])
        case .outageReported: ("an outage was reported", ["outage"])
        case .outageEnded: ("an outage was ended", ["outage"])
        case .surveyWithdrawn: ("a survey was withdrawn", ["site", "survey"])
        case .surveysOfAuthorWithdrawn:
            ("all surveys of an author were withdrawn", ["site", "author"])
        case .enrolmentCodeMade:
            ("an administrator made a code for a scanner", ["site", "scanner"])
        case .scannerEnrolled:
            ("a scanner got its token by a code", ["token", "site", "scanner", "address"])
        case .enrolmentFailed: ("somebody sent a wrong code for a token", ["address"])
        case .scannerPaired: ("somebody paired with a scanner", ["site", "scanner"])
        case .pairingFailed: ("somebody sent a wrong code to pair", ["site", "address"])
        case .scannerChanged:
            (
                "a scanner began or ceased to report people's devices",
                ["site", "scanner", "node"]
            )
        case .positionerSelected:
            ("somebody selected the positioners of a site", ["site", "revision"])
        case .recordPutBack:
            (
                "an administrator put back a record that was set aside",
                ["letter", "consumer", "outcome"]
            )
        case .surveysReviewed: ("surveys in doubt were decided", ["site", "decision", "surveys"])
        }
    }
}
