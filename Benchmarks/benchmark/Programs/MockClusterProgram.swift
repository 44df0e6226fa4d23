import EventLog
import Foundation
import Kafka
import Wire

/// `benchmark mock-cluster`: librdkafka's mock broker in a process of its own, so that its
/// processor time is not counted as that of a service. Prints the bootstrap servers and runs until
/// a signal.
enum MockClusterProgram {
    static func run() throws {
        let cluster = try MockKafkaCluster()
        for topic in Topic.specifications() {
            try cluster.createTopic(topic.name, partitions: topic.partitions)
        }
        print(cluster.bootstrapServers)
        fflush(nil)
        while true { sleep(3_600) }
    }
}
