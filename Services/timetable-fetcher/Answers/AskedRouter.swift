import HTTP
import HTTPClient
import RoomAnswers
import ServiceHost
import Wire

/// Asks the router how long the ways to rooms take, with the credentials of the request.
struct AskedRouter: Sendable {
    private static let timeoutSeconds = 5.0

    let client: HTTPClient
    let address: String

    func ways(_ question: RoomWaysQuestion, for request: HTTPRequest) async throws -> RoomWays {
        let answer: HTTPClientResponse
        do throws(HTTPClientError) {
            answer = try await client.send(
                "POST", address + "/v1/travel-times",
                headers: TokenDirectory.credentials(of: request)
                    + [(name: "content-type", value: "application/json")],
                body: question.json, timeoutSeconds: Self.timeoutSeconds)
        } catch {
            throw Self.unreachable
        }
        switch answer.status {
        case 200: return try RoomWays(json: answer.body)
        case 400..<500:
            throw Problem(.placeUnknown, "The router knows no such place: see `near`.")
        default: throw Self.unreachable
        }
    }

    private static let unreachable = Problem(
        .routerUnreachable, "The router does not answer; try again, or leave `near` out.",
        retryAfterSeconds: 2)
}
