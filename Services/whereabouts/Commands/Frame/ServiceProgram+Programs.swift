import Positioners
import ServiceRuntime

extension ServiceProgram {
    /// Whether programs (`exec:`) that a command runs have the network, as for the services.
    static func programsMayUseNetwork() -> Bool {
        let setting = PositionerSettings.network
        let configuration = try? Configuration(
            environment: processEnvironment.filter { $0.key == setting.name },
            settings: [setting])
        // What can't be read allows nothing.
        return configuration?.flag(setting.name) ?? false
    }
}
