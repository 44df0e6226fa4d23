/// A text id of one kind of thing: `[A-Za-z0-9._-]`, 1 to 64 characters. It is unique in its site
/// and stays when the thing is renamed.
public protocol TextIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    var text: String { get }
    /// Does not check the text; use `init(validating:)` for text from outside.
    init(_ text: String)
}

extension TextIdentifier {
    public var description: String { text }

    /// Nil if the text is not a well-formed id.
    public init?(validating text: String) {
        guard isWellFormedIdentifier(text) else { return nil }
        self.init(text)
    }

    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// Whether the text is `[A-Za-z0-9._-]`, 1 to 64 characters.
public func isWellFormedIdentifier(_ text: String) -> Bool {
    let bytes = text.utf8
    guard (1...64).contains(bytes.count) else { return false }
    return bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// Whether a text for people contains a control character, such as a line break.
///
/// Control characters are U+0000 to U+001F and U+007F to U+009F, and always will be (The Unicode
/// Standard, 23.1). The search compares bytes for speed, since a site has many thousands of names.
/// In UTF-8 the last 32 of them begin with C2.
public func hasControlCharacter(_ text: String) -> Bool {
    var isAfterC2 = false
    for byte in text.utf8 {
        if byte < 0x20 || byte == 0x7F || isAfterC2 && byte < 0xA0 { return true }
        isAfterC2 = byte == 0xC2
    }
    return false
}

public struct SiteID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

public struct BuildingID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

public struct FloorID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

public struct RoomID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// A place where surveys are made.
public struct LocationID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// A source of a site's timetables or free computers.
public struct FeedID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// A door, a lift, a path: a way between places.
public struct ConnectionID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

public struct FloorPlanID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

public struct BeaconID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// A group of beacons, unique in its site or document.
public struct BeaconGroupID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// A department, a service or an office.
public struct DirectoryID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// The thing that is located.
public struct DeviceID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}

/// The thing that made the scan; often the device itself.
public struct ScannerID: TextIdentifier {
    public let text: String
    public init(_ text: String) { self.text = text }
}
