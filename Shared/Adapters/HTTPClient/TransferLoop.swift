import CCurl
import Glibc
import Synchronization

/// The thread that runs a client's transfers, on one libcurl multi handle. Each new transfer wakes
/// it.
///
/// Safe to share although unchecked: a lock guards `inbox`, and any thread may call
/// `curl_multi_wakeup`. Everything else belongs to the loop's thread.
final class TransferLoop: @unchecked Sendable {
    /// How long the idle thread waits before it checks for work.
    private static let pollMilliseconds: Int32 = 1000
    /// The number of finished handles kept for the next transfers.
    private static let maximumSpareHandles = 256

    private struct Inbox: Sendable {
        var added: [Transfer] = []
        var hasCancelled = false
        var isClosed = false
    }

    private let configuration: HTTPClient.Configuration
    private let inbox = Mutex(Inbox())
    private let multi: UnsafeMutableRawPointer

    private var waiting: [Transfer] = []
    private var waitingHead = 0
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    private var runningRequests = 0
    private var spare: [UnsafeMutableRawPointer] = []

    init(_ configuration: HTTPClient.Configuration) {
        self.configuration = configuration
        Self.prepareLibrary
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl has no memory") }
        self.multi = multi
        // As many connections as requests may run at once, and a few for streams.
        setMultiNumber(
            multi, CURLMOPT_MAXCONNECTS,
            configuration.maximumOpenConnections ?? configuration.maximumConcurrentRequests + 16)
        var thread = pthread_t()
        // The thread keeps the loop alive until the loop has closed.
        let result = pthread_create(
            &thread, nil, transferLoopMain, Unmanaged.passRetained(self).toOpaque())
        precondition(result == 0, "no thread could be started: \(result)")
        pthread_detach(thread)
    }

    deinit { curl_multi_cleanup(multi) }

    private static let prepareLibrary: Void = { _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    func add(_ transfer: Transfer) {
        let isClosed = inbox.withLock { inbox in
            if !inbox.isClosed { inbox.added.append(transfer) }
            return inbox.isClosed
        }
        if isClosed { transfer.end(.closed) } else { curl_multi_wakeup(multi) }
    }

    func cancel(_ transfer: Transfer) {
        transfer.isCancelled.store(true, ordering: .releasing)
        inbox.withLock { $0.hasCancelled = true }
        curl_multi_wakeup(multi)
    }

    func close() {
        inbox.withLock { $0.isClosed = true }
        curl_multi_wakeup(multi)
    }

    fileprivate func run() {
        while dequeueInbox() {
            startWaiting()
            var count: Int32 = 0
            curl_multi_perform(multi, &count)
            finishEnded()
            if runningRequests < configuration.maximumConcurrentRequests,
                waitingHead < waiting.count
            {
                continue
            }
            curl_multi_poll(multi, nil, 0, Self.pollMilliseconds, nil)
        }
        for (easy, transfer) in running {
            remove(easy, transfer)
            transfer.end(.closed)
        }
        for transfer in waiting[waitingHead...] { transfer.end(.closed) }
        for easy in spare { curl_easy_cleanup(easy) }
    }

    /// Moves new transfers from the inbox to the queue and ends cancelled ones. Returns false when
    /// the client has been closed.
    private func dequeueInbox() -> Bool {
        let (added, hasCancelled, isClosed) = inbox.withLock { inbox in
            defer {
                inbox.added = []
                inbox.hasCancelled = false
            }
            return (inbox.added, inbox.hasCancelled, inbox.isClosed)
        }
        waiting += added
        if hasCancelled { endCancelled() }
        return !isClosed
    }

    private func endCancelled() {
        for (easy, transfer) in running where transfer.isCancelled.load(ordering: .acquiring) {
            remove(easy, transfer)
            transfer.end(.cancelled)
        }
        var kept: [Transfer] = []
        for transfer in waiting[waitingHead...] {
            if transfer.isCancelled.load(ordering: .acquiring) {
                transfer.end(.cancelled)
            } else {
                kept.append(transfer)
            }
        }
        waiting = kept
        waitingHead = 0
    }

    private func startWaiting() {
        while waitingHead < waiting.count {
            let transfer = waiting[waitingHead]
            guard transfer.isStream || runningRequests < configuration.maximumConcurrentRequests
            else { break }
            waitingHead += 1
            guard let easy = spare.popLast() ?? curl_easy_init() else {
                transfer.end(HTTPClientError(CURLE_OUT_OF_MEMORY))
                continue
            }
            transfer.prepare(easy, configuration)
            running[easy] = transfer
            if !transfer.isStream { runningRequests += 1 }
            curl_multi_add_handle(multi, easy)
        }
        if waitingHead == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            waitingHead = 0
        } else if waitingHead > 1024 {
            waiting.removeFirst(waitingHead)
            waitingHead = 0
        }
    }

    private func finishEnded() {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle,
                let transfer = running[easy]
            else { continue }
            // Reads the result first: removing the handle invalidates the message.
            let result = finishedResult(message)
            remove(easy, transfer)
            transfer.end(result)
        }
    }

    /// Removes the transfer from the multi handle. Its easy handle is kept for another transfer.
    private func remove(_ easy: UnsafeMutableRawPointer, _ transfer: Transfer) {
        curl_multi_remove_handle(multi, easy)
        transfer.moveCookies(outOf: easy)
        running[easy] = nil
        if !transfer.isStream { runningRequests -= 1 }
        curl_slist_free_all(transfer.headerList)
        transfer.headerList = nil
        curl_easy_reset(easy)
        if spare.count < Self.maximumSpareHandles {
            spare.append(easy)
        } else {
            curl_easy_cleanup(easy)
        }
    }
}

private func transferLoopMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<TransferLoop>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
