import Synchronization

/// A responder that passes on the first answer and ignores later ones. If it is released without an
/// answer, it answers 500.
final class OneAnswer: HTTPResponder {
    private let isAnswered = Atomic(false)
    private let deliver: @Sendable (HTTPResponse) -> Void

    init(_ deliver: @escaping @Sendable (HTTPResponse) -> Void) { self.deliver = deliver }

    deinit {
        if !isAnswered.load(ordering: .acquiring) { deliver(Problem.internalError.response) }
    }

    func respond(_ response: HTTPResponse) {
        if !isAnswered.exchange(true, ordering: .acquiringAndReleasing) { deliver(response) }
    }

    func respond(_ problem: Problem) { respond(problem.response) }
}
