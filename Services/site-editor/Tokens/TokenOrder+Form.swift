public import Access
public import Events
import Wire

extension TokenStore {
    /// The caller who issues a token. The operator's command on the machine itself has none.
    public struct Issuer: Sendable {
        public var id: String
        public var grants: [Grant]
        public var expiresAt: Timestamp?

        public init(id: String, grants: [Grant], expiresAt: Timestamp?) {
            self.id = id
            self.grants = grants
            self.expiresAt = expiresAt
        }
    }
}

extension TokenRole {
    /// Whether an administrator has the role. Who is to make a site needs it before the site
    /// exists.
    var makesSites: Bool { self == .administrator || self == .administratorOfSite }
}

extension TokenOrder {
    private static let noteLimit = 500
    private static let buildingLimit = 100
    private static let keyCharacters = 64

    /// Why a request for a token is not valid.
    enum FormFault: Error {
        case noteTooLong(maximumBytes: Int)
        case tooManyBuildings(maximum: Int)
        case keyMalformed
    }

    func checkForm() throws(FormFault) {
        guard note.utf8.count <= Self.noteLimit else {
            throw .noteTooLong(maximumBytes: Self.noteLimit)
        }
        guard buildings.count <= Self.buildingLimit else {
            throw .tooManyBuildings(maximum: Self.buildingLimit)
        }
        if let signingKey {
            guard signingKey.utf8.count == Self.keyCharacters,
                signingKey.allSatisfy({ $0.isASCII && $0.isHexDigit })
            else {
                throw .keyMalformed
            }
        }
    }
}
