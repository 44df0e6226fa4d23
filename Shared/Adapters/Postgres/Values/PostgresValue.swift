/// A statement's parameter, sent in PostgreSQL's binary format.
public enum PostgresValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case int32(Int32)
    case int64(Int64)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    /// `timestamptz`: microseconds since 1970, UTC.
    case timestamp(microseconds: Int64)
    /// `jsonb`, given as JSON text.
    case json(String)
    /// `uuid`: 16 bytes.
    case uuid([UInt8])
    case int32Array([Int32])
    case int64Array([Int64])
    case doubleArray([Double])
    case boolArray([Bool])
    case textArray([String?])
    case bytesArray([[UInt8]?])
    /// `timestamptz[]`: microseconds since 1970; nil is null.
    case timestampArray(microseconds: [Int64?])

    /// The value that `make` returns, or null for nil.
    public static func optional<Value>(
        _ value: Value?, _ make: (Value) -> PostgresValue
    ) -> PostgresValue { value.map(make) ?? .null }

    public static func int(_ value: Int) -> PostgresValue { .int64(Int64(value)) }

    /// Microseconds between 1970 and PostgreSQL's epoch, 2000-01-01.
    static let epochMicroseconds: Int64 = 946_684_800_000_000

    /// The type's number in `pg_type`; 0 lets the server choose.
    var type: UInt32 {
        switch self {
        case .null: 0
        case .bool: PostgresType.bool
        case .int32: PostgresType.int32
        case .int64: PostgresType.int64
        case .double: PostgresType.double
        // Left to the server, so that text also fits enum, json, inet and similar types.
        case .text: 0
        case .bytes: PostgresType.bytes
        case .timestamp: PostgresType.timestamp
        case .json: PostgresType.jsonb
        case .uuid: PostgresType.uuid
        case .int32Array: PostgresType.int32Array
        case .int64Array: PostgresType.int64Array
        case .doubleArray: PostgresType.doubleArray
        case .boolArray: PostgresType.boolArray
        case .textArray: PostgresType.textArray
        case .bytesArray: PostgresType.bytesArray
        case .timestampArray: PostgresType.timestampArray
        }
    }

    /// Whether the value is sent in binary. Text is not, since the server chooses its type.
    var isBinary: Bool {
        if case .text = self { false } else { true }
    }
}

/// The numbers of the built-in types (`pg_type.dat` of PostgreSQL; they never change).
enum PostgresType {
    static let bool: UInt32 = 16
    static let bytes: UInt32 = 17
    static let int64: UInt32 = 20
    static let int16: UInt32 = 21
    static let int32: UInt32 = 23
    static let text: UInt32 = 25
    static let oid: UInt32 = 26
    static let float: UInt32 = 700
    static let double: UInt32 = 701
    static let timestamp: UInt32 = 1184
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802
    static let boolArray: UInt32 = 1000
    static let bytesArray: UInt32 = 1001
    static let int32Array: UInt32 = 1007
    static let textArray: UInt32 = 1009
    static let int64Array: UInt32 = 1016
    static let doubleArray: UInt32 = 1022
    static let timestampArray: UInt32 = 1185
}
