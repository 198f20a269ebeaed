package org.svcmailbox.ejb.broker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;

/**
 * The way to the embedded broker, and each other {@link Way} where the property {@code each.way} is
 * true. {@link ArtemisBrokerTest} runs the whole contract in each.
 */
@ArgumentsSource(EachWay.Ways.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface EachWay {
  /** Provides them. */
  final class Ways implements ArgumentsProvider {
    @Override
    public Stream<Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      Stream<Way> ways =
          Boolean.getBoolean("each.way") ? Stream.of(Way.values()) : Stream.of(Way.DIRECT);
      return ways.map(Arguments::of);
    }
  }
}
