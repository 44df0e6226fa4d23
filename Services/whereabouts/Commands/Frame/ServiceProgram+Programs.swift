import Positioners
import ServiceRuntime

extension ServiceProgram {
    /// Whether positioner programs (`exec:COMMAND`) that a command starts may use the network. The
    /// services read the same setting.
    static func programsMayUseNetwork() -> Bool {
        let setting = PositionerSettings.network
        let configuration = try? Configuration(
            environment: processEnvironment.filter { $0.key == setting.name },
            settings: [setting])
        // A wrong value allows nothing.
        return configuration?.flag(setting.name) ?? false
    }
}
