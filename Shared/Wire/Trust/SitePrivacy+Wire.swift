public import Events
internal import JSON
public import Privacy

/// The answer of `GET /v1/day-keys`: `{"sites": [{"site", "keys": [{"begins", "ends", "secret"}],
/// "enrolled": [...], "identities": [{"device", "key"}]}]}`. Secrets and keys are in base64.
public enum SitePrivacyList {
    public static func json(_ sites: [SiteID: SitePrivacy]) -> [UInt8] {
        var writer = JSONWriter(capacity: 4_096)
        writer.beginObject()
        writer.array("sites", sites.sorted { $0.key < $1.key }) { site, writer in
            writer.beginObject()
            writer.field("site", site.key)
            writer.array("keys", site.value.keys.keys) { key, writer in
                writer.beginObject()
                writer.field("begins", key.begins)
                writer.field("ends", key.ends)
                writer.name("secret")
                writer.base64(key.secret)
                writer.endObject()
            }
            writer.array("enrolled", site.value.enrolled.sorted().map(\.text))
            writer.array("identities", site.value.identities) { identity, writer in
                writer.beginObject()
                writer.field("device", identity.device)
                writer.name("key")
                writer.base64(identity.key)
                writer.endObject()
            }
            writer.endObject()
        }
        writer.endObject()
        return writer.finish()
    }

    public static func read(_ body: [UInt8]) throws(WireFault) -> [SiteID: SitePrivacy] {
        try withJSON(body) { (root) throws(WireFault) in
            guard let object = root.object else {
                throw WireFault(.notAnObject, "an object is expected")
            }
            let sites = try FieldReader(object).elements("sites") {
                (value) throws(WireFault) -> (SiteID, SitePrivacy) in
                let fields = try FieldReader(value)
                return (
                    try fields.required("site").identifier(.siteMalformed),
                    SitePrivacy(
                        keys: DayKeys(try fields.elements("keys", key)),
                        enrolled: Set(
                            try fields.elements("enrolled") {
                                (id) throws(WireFault) -> DeviceID in
                                try id.identifier(.deviceMalformed)
                            }),
                        identities: try fields.elements("identities", identity))
                )
            }
            return Dictionary(sites, uniquingKeysWith: { _, last in last })
        }
    }

    private static func key(_ value: WireValue) throws(WireFault) -> DayKey {
        let fields = try FieldReader(value)
        return DayKey(
            begins: try fields.required("begins").time(), ends: try fields.required("ends").time(),
            secret: try bytes(fields.required("secret"), DayKey.secretBytes))
    }

    private static func identity(
        _ value: WireValue
    ) throws(WireFault) -> SitePrivacy.Identity {
        let fields = try FieldReader(value)
        return SitePrivacy.Identity(
            device: try fields.required("device").identifier(.deviceMalformed),
            key: try bytes(fields.required("key"), 16))
    }

    private static func bytes(_ value: WireValue, _ count: Int) throws(WireFault) -> [UInt8] {
        let bytes = try value.base64()
        guard bytes.count == count else {
            throw value.fault(.fieldOutOfRange, "\(count) bytes are expected")
        }
        return bytes
    }
}
