import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Threads

@Suite("Threads") struct ThreadsTests {
    private actor Counter {
        private let executor: ThreadExecutor
        private var count = 0
        private var threads: Set<pthread_t> = []

        nonisolated var unownedExecutor: UnownedSerialExecutor {
            executor.asUnownedSerialExecutor()
        }

        init(_ executor: ThreadExecutor) { self.executor = executor }

        func add() -> Int {
            threads.insert(pthread_self())
            count += 1
            return count
        }

        func threadCount() -> Int { threads.count }
    }

    @Test("An actor's jobs run one after the other, all on one thread")
    func serial() async {
        let counter = Counter(ThreadExecutor(name: "test"))
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<1_000 { group.addTask { await counter.add() } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(counts == Set(1...1_000))
        #expect(await counter.threadCount() == 1)
    }

    @Test("The thread ends when its executor is released")
    func ends() async {
        weak var released: ThreadExecutor?
        do {
            let executor = ThreadExecutor(name: "test")
            released = executor
            _ = await Counter(executor).add()
        }
        while released != nil { await Task.yield() }
    }

    @Test("Blocking work runs in parallel: two pieces that wait for each other end")
    func blocking() async {
        let work = BlockingWork("test")
        let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let one = work {
            first.signal()
            second.wait()
            return 1
        }
        async let two = work {
            second.signal()
            first.wait()
            return 2
        }
        #expect(await one + two == 3)
    }

    @Test("Long work runs in order, and returns nil when its task is cancelled")
    func long() async {
        let work = LongWork("test")
        let gate = DispatchSemaphore(value: 0)
        let began = Mutex(false)
        let cancelled = Task {
            await work.run {
                began.withLock { $0 = true }
                gate.wait()
                return 1
            }
        }
        while !began.withLock({ $0 }) { await Task.yield() }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        gate.signal()
        #expect(await work.run { 2 } == 2)
    }
}
