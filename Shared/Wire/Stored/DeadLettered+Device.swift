public import Events
internal import JSON

extension DeadLettered {
    /// The device that the record is about: named by its value, else by a key `site/device`. Nil
    /// where neither can be read.
    ///
    /// Each member is tried by itself, because the record is one that could not be read whole.
    public var device: DeviceKey? {
        let named = value.flatMap { value in
            try? withJSON(value) { (root) throws(WireFault) -> DeviceKey? in
                guard let object = root.object,
                    let site: SiteID = try? FieldReader(object).required("site").identifier(),
                    let device: DeviceID = try? FieldReader(object).required("device").identifier()
                else { return nil }
                return DeviceKey(site, device)
            }
        }
        if let named { return named }
        guard ![Topic.surveys.name, Topic.surveyRecords.name].contains(topic) else { return nil }
        return key.flatMap(DeviceKey.init(recordKey:))
    }

    /// When the record came to its topic, as far as the letter knows.
    public var came: Timestamp { appendedAt ?? at }
}
