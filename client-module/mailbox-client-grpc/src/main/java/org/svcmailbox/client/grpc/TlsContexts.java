package org.svcmailbox.client.grpc;

import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.grpc.netty.shaded.io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SupportedCipherSuiteFilter;
import javax.net.ssl.SSLContext;

/** Sets up the JDK's TLS for HTTP/2. */
final class TlsContexts {
  private TlsContexts() {}

  static SslContext of(SSLContext tls) {
    return new JdkSslContext(
        tls,
        true,
        null,
        SupportedCipherSuiteFilter.INSTANCE,
        new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            "h2"),
        ClientAuth.NONE,
        null,
        false);
  }
}
