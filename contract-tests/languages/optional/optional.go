// Package optional has what generated Go clients use of the package of this name, which Debian does not have.
package optional

// String is a text that may be missing.
type String struct {
	value string
	isSet bool
}

// NewString is a given text.
func NewString(value string) String { return String{value, true} }

// IsSet says whether there is a text.
func (o String) IsSet() bool { return o.isSet }

// Value is the text.
func (o String) Value() string { return o.value }

// Int32 is a number that may be missing.
type Int32 struct {
	value int32
	isSet bool
}

// NewInt32 is a given number.
func NewInt32(value int32) Int32 { return Int32{value, true} }

// IsSet says whether there is a number.
func (o Int32) IsSet() bool { return o.isSet }

// Value is the number.
func (o Int32) Value() int32 { return o.value }

// Bool is a boolean that may be missing.
type Bool struct {
	value bool
	isSet bool
}

// IsSet says whether there is a boolean.
func (o Bool) IsSet() bool { return o.isSet }

// Value is the boolean.
func (o Bool) Value() bool { return o.value }

// Interface is a value of any type that may be missing.
type Interface struct {
	value interface{}
	isSet bool
}

// NewInterface is a given value.
func NewInterface(value interface{}) Interface { return Interface{value, true} }

// IsSet says whether there is a value.
func (o Interface) IsSet() bool { return o.isSet }

// Value is the value.
func (o Interface) Value() interface{} { return o.value }
