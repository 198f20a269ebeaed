/**
 * Settings from {@code worker.toml}, {@code streams.toml} and the environment. A file is read as a
 * whole: all errors are reported at once, and nothing starts before the file is valid.
 */
@NullMarked
package org.svcmailbox.worker.config;

import org.jspecify.annotations.NullMarked;
