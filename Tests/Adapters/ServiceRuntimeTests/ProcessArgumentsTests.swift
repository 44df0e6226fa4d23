import Testing

@testable import ServiceRuntime

@Suite struct ProcessArgumentsTests {
    @Test("The kernel has the same words as Swift's runtime, which a preloaded library may blind")
    func kernel() {
        #expect(argumentsOfKernel() == CommandLine.arguments)
        #expect(processArguments() == CommandLine.arguments)
    }
}
