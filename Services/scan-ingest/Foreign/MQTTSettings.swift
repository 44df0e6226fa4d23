import Events
import MQTT
import ServiceHost
import ServiceRuntime

/// The MQTT broker at which a site's nodes are heard.
struct MQTTSettings: Sendable {
    let configuration: MQTTConfiguration
    let site: SiteID

    /// Nil where no broker is set.
    init?(_ values: Configuration) {
        guard let text = values.optionalText(Self.address.name), let address = MQTTAddress(text),
            let site = values.optionalText(Self.site.name).flatMap(SiteID.init(validating:))
        else { return nil }
        self.site = site
        configuration = MQTTConfiguration(
            address: address, certificateFile: values.optionalText(CertificateFile.variable),
            user: values.optionalText(Self.user.name),
            password: values.optionalSecret(Self.password.name)?.reveal(),
            clientID: values.text(Self.client.name), topic: values.text(Self.topic.name))
    }

    static let all = [address, site, user, password, topic, client]

    /// Faults of settings that are each valid alone.
    static func missing(in environment: [String: String]) -> [ConfigurationFault] {
        let given = { (name: String) in environment[name]?.isEmpty == false }
        guard given(address.name) else { return [] }
        var faults: [ConfigurationFault] = []
        if !given(site.name) {
            faults.append(
                ConfigurationFault(name: site.name, problem: "is needed with \(address.name)"))
        }
        if !given(user.name), given(password.name) || given(password.name + "_FILE") {
            faults.append(
                ConfigurationFault(name: user.name, problem: "is needed with \(password.name)"))
        }
        return faults
    }

    private static let addressForm = Setting.TextForm("mqtt[s]://host[:port]") { text in
        MQTTAddress(text) == nil
            ? "must be an address such as mqtts://broker.example:8883, without user and password"
            : nil
    }

    private static let siteForm = Setting.TextForm("SITE") { text in
        isWellFormedIdentifier(text) ? nil : "must be the id of a site"
    }

    private static let topicForm = Setting.TextForm("TOPIC") { text in
        let isUsable = (1...MQTTConfiguration.topicBytes).contains(text.utf8.count)
        return isUsable && endsWithDevices(text)
            ? nil
            : "must be a filter of topics that ends with /devices/<device>/<node>, such as "
                + "espresense/devices/+/+"
    }

    /// Whether topics of this filter name the device and the node, as `ESPresenseMessage` reads
    /// them.
    private static func endsWithDevices(_ filter: String) -> Bool {
        var levels = filter.split(separator: "/", omittingEmptySubsequences: false)
        if levels.first == "$share" { levels.removeFirst(min(2, levels.count)) }
        return levels.count >= 3 && levels[levels.count - 3] == "devices"
            && !filter.contains("#") && !levels.suffix(2).contains("")
    }

    static let address = Setting(
        "WHEREABOUTS_MQTT_URL", .checked(addressForm), .optional,
        help: "MQTT broker of ESPresense's nodes; TLS with mqtts")
    static let site = Setting(
        "WHEREABOUTS_MQTT_SITE", .checked(siteForm), .optional,
        help: "site of those nodes")
    static let user = Setting(
        "WHEREABOUTS_MQTT_USER", .text, .optional, help: "user at the MQTT broker")
    static let password = Setting(
        "WHEREABOUTS_MQTT_PASSWORD", .secret, .optional,
        help: "password at the MQTT broker")
    static let topic = Setting(
        "WHEREABOUTS_MQTT_TOPIC", .checked(topicForm), .defaultsTo("espresense/devices/+/+"),
        help: "topics to hear; with $share/NAME/ in front, several processes share them")
    static let client = Setting(
        "WHEREABOUTS_MQTT_CLIENT", .text, .defaultsTo("whereabouts"),
        help: "name of the session at the MQTT broker; one for each process")
}
