package org.svcmailbox.it.contract;

import com.google.protobuf.AnyProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.TimestampProto;
import com.google.rpc.StatusProto;
import io.grpc.health.v1.HealthProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.svcmailbox.proto.v1.MailboxProto;

/** The gRPC door's messages, described for clients that have no generated code. */
final class GrpcDescriptors {
  private GrpcDescriptors() {}

  /** Writes a {@code FileDescriptorSet}: each file after those that it needs. */
  static Path in(Path directory) throws IOException {
    FileDescriptorSet files =
        FileDescriptorSet.newBuilder()
            .addFile(AnyProto.getDescriptor().toProto())
            .addFile(TimestampProto.getDescriptor().toProto())
            .addFile(StatusProto.getDescriptor().toProto())
            .addFile(MailboxProto.getDescriptor().toProto())
            .addFile(HealthProto.getDescriptor().toProto())
            .build();
    return Files.write(directory.resolve("descriptors"), files.toByteArray());
  }
}
