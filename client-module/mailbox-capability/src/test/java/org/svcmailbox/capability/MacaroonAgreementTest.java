package org.svcmailbox.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.nitram509.jmacaroons.MacaroonsBuilder;
import com.github.nitram509.jmacaroons.MacaroonsSerializer;
import com.github.nitram509.jmacaroons.MacaroonsVerifier;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Produces the same tokens as other implementations, byte for byte; each accepts the other's. */
class MacaroonAgreementTest {
  private static final String VECTORS = "/golden/macaroon_vectors.json";

  /** Made by npm's macaroon; see core-module/src/test/vectors. */
  static Stream<JsonNode> vectors() throws IOException {
    try (InputStream in = MacaroonAgreementTest.class.getResourceAsStream(VECTORS)) {
      JsonNode vectors = new ObjectMapper().readTree(in).path("vectors");
      assertEquals(18, vectors.size());
      return StreamSupport.stream(vectors.spliterator(), false);
    }
  }

  private static Macaroon macaroon(JsonNode vector) {
    Macaroon made =
        Macaroon.mint(
            key(vector),
            vector.path("location").asText(),
            vector.path("identifier").asText().getBytes(UTF_8));
    for (JsonNode caveat : vector.path("caveats")) {
      made = made.narrowedBy(caveat.asText());
    }
    return made;
  }

  private static RootKey key(JsonNode vector) {
    return RootKey.of(vector.path("key").asText().getBytes(UTF_8));
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void npmsMacaroonMakesTheSame(JsonNode vector) {
    Macaroon ours = macaroon(vector);
    assertEquals(vector.path("signature").asText(), HexFormat.of().formatHex(ours.signature()));
    if (!vector.path("token").isNull()) {
      assertEquals(vector.path("token").asText(), ours.token());
      assertTrue(Macaroon.parse(vector.path("token").asText()).isMintedWith(key(vector)));
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void jmacaroonsMakesAndAcceptsTheSame(JsonNode vector) {
    String key = vector.path("key").asText();
    MacaroonsBuilder theirs =
        com.github.nitram509.jmacaroons.Macaroon.builder(
            vector.path("location").asText(),
            key.getBytes(UTF_8),
            vector.path("identifier").asText());
    vector.path("caveats").forEach(caveat -> theirs.addCaveat(caveat.asText()));
    Macaroon ours = macaroon(vector);
    if (!ours.location().isEmpty()) {
      // Without a location it writes an empty one, which is another spelling.
      assertEquals(theirs.build().serialize(MacaroonsSerializer.V2), ours.token());
    }
    MacaroonsVerifier verifier =
        new MacaroonsVerifier(
            com.github.nitram509.jmacaroons.Macaroon.deserialize(
                ours.token(), MacaroonsSerializer.V2));
    vector.path("caveats").forEach(caveat -> verifier.satisfyExact(caveat.asText()));
    assertTrue(verifier.isValid(key.getBytes(UTF_8)));
    assertFalse(verifier.isValid((key + "x").getBytes(UTF_8)));
  }
}
