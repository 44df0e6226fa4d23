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
                headers: TokenDirectory.credentials(ofQuestionFor: request)
                    + [(name: "content-type", value: "application/json")],
                body: question.json, timeoutSeconds: Self.timeoutSeconds)
        } catch {
            throw Self.unreachable
        }
        return try Self.ways(answer)
    }

    /// - Throws: `Problem`. It has the router's own code where the router refuses the caller, and
    ///   `placeUnknown` where the place is unknown or can't be used.
    static func ways(_ answer: HTTPClientResponse) throws -> RoomWays {
        switch answer.status {
        case 200: return try RoomWays(json: answer.body)
        case 401, 403:
            let refusal = AnsweredProblem(json: answer.body)
            throw Problem(
                refusal.code ?? .roleNotAllowed,
                "near: \(refusal.detail ?? "The router refuses this caller.")")
        case 400, 404, 409, 422:
            throw Problem(
                .placeUnknown,
                AnsweredProblem(json: answer.body).detail ?? "The router knows no such place.")
        default: throw unreachable
        }
    }

    private static let unreachable = Problem(
        .routerUnreachable, "The router does not answer; try again, or leave `near` out.",
        retryAfterSeconds: 2)
}
