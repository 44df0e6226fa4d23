import Foundation
public import Postgres

/// A PostgreSQL server in its own network, behind a link that can be cut without notice to either
/// side. Its Unix socket stays reachable.
public final class CutLink: Sendable {
    /// The reason why this machine can't make such a network. Nil where it can.
    public static let obstacle: String? = {
        if let obstacle = PrivatePostgres.obstacle { return obstacle }
        guard getuid() == 0 else { return "only root may make a network" }
        do {
            let link = try CutLink()
            link.remove()
            return nil
        } catch { return "networks can't be made here (\(error))" }
    }()

    private let name: String
    private let ours: String
    private let address: String

    public init() throws {
        let number = Int.random(in: 1..<250)
        let part = Int.random(in: 1..<250)
        name = "wb\(number)x\(part)"
        ours = "\(name)a"
        let network = "10.\(number).\(part)"
        address = "\(network).2"
        try runProgram(["ip", "netns", "add", name])
        do {
            try runProgram([
                "ip", "link", "add", ours, "type", "veth", "peer", "name", "\(name)b", "netns",
                name,
            ])
            try runProgram(["ip", "addr", "add", "\(network).1/24", "dev", ours])
            try runProgram(["ip", "link", "set", ours, "up"])
            let within = ["ip", "netns", "exec", name, "ip"]
            try runProgram(within + ["addr", "add", "\(address)/24", "dev", "\(name)b"])
            try runProgram(within + ["link", "set", "\(name)b", "up"])
            try runProgram(within + ["link", "set", "lo", "up"])
        } catch {
            remove()
            throw error
        }
    }

    /// Starts a server that is reachable through the link and through its socket.
    public func startServer() throws -> PrivatePostgres {
        try PrivatePostgres(
            settings: ["listen_addresses=\(address)"], within: ["ip", "netns", "exec", name],
            access: ["host all all \(address)/24 trust"])
    }

    /// The configuration that reaches the database through the link.
    public func configuration(_ database: PostgresConfiguration) -> PostgresConfiguration {
        var through = database
        // libpq uses the last of several equal keywords.
        through.connectionString += " host=\(address)"
        return through
    }

    public func cut() throws { try runProgram(["ip", "link", "set", ours, "down"]) }

    public func remove() {
        _ = try? runProgram(["ip", "link", "del", ours])
        _ = try? runProgram(["ip", "netns", "del", name])
    }
}
