package org.svcmailbox.grpc.server;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;

/**
 * The certificate and key of HTTPS, for the gRPC server.
 *
 * @param file a PKCS12 or JKS keystore
 * @param password of the file and of the key
 */
public record ServerKeys(Path file, String password) {
  /** Only forward secrecy and authenticated encryption, as over HTTPS. */
  private static final List<String> CIPHERS =
      List.of(
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256");

  /**
   * TLS 1.2 and 1.3 of the JDK.
   *
   * @throws IllegalStateException if the file cannot be used
   */
  SslContext context() {
    try {
      char[] secret = password.toCharArray();
      KeyStore store = KeyStore.getInstance(new File(file.toString()), secret);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, secret);
      return GrpcSslContexts.configure(SslContextBuilder.forServer(keys), SslProvider.JDK)
          .protocols("TLSv1.3", "TLSv1.2")
          .ciphers(CIPHERS)
          .build();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("MAILBOX_TLS_KEYSTORE cannot be used for gRPC", e);
    }
  }

  @Override
  public String toString() {
    return "ServerKeys[" + file + "]";
  }
}
