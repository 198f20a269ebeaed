/**
 * Where the settings come from: MicroProfile Config and the TOML file beside it. Read once; a bad
 * value fails the deployment with its key.
 */
@NullMarked
package org.svcmailbox.ejb.settings;

import org.jspecify.annotations.NullMarked;
